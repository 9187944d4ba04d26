"""What Ira can do, and the gate."""
