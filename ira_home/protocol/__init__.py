"""The device wire, shared with clients."""
