"""The questions, a module per section. A key, once shipped, is never renamed and never reused."""
