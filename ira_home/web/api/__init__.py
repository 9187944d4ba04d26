"""One noun a file, discovered."""
