"""The tools of the demo's business, as they are copied into its data folder."""
