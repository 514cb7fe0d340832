"""Who did what, when: an append-only chain."""
