"""Who may."""
