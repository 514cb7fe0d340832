"""Hardware and model facts with their sources."""
