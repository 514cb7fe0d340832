"""One module a format: how to tell it, and what its keys mean for a task."""
