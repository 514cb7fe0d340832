"""Words in: what a request or a specification, written as people write, says in answers."""
