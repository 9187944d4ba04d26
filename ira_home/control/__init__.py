"""The local control socket."""
