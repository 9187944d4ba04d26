"""What the demo lays into its data folder: files to read, and tools of its business."""
