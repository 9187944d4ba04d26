"""The pages people see: one module per noun, each declaring its ROUTES."""
