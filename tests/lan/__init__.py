"""The server in a network of its own: real cards, real multicast, avahi on the other side."""
