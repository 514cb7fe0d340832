"""The client's screens."""
