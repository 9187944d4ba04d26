"""SQLite, one store per noun."""
