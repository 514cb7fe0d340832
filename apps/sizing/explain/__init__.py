"""How a figure came about: the engine's own arithmetic, recorded while it runs."""
