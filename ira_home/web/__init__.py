"""HTTP, pages, the device socket."""
