"""The house's own tools, discovered."""
