"""What is asked, how answers are read, and what they mean to the engine."""
