"""The companion that makes a computer a device of an Ira Home."""
