"""The operator's operations, one noun a file, each declaring OPERATIONS; discovered."""
