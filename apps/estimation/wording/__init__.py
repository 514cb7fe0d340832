"""The words for what the engine says by code. `apps.estimation.texts` is the way in."""
