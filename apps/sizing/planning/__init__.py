"""The planner: every way of the catalog to train a task, and the few worth a reader's choice."""
