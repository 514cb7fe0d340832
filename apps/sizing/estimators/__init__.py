"""Estimators: pure functions from a task, a catalog and platforms to a part of the result."""
