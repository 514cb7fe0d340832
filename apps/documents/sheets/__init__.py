"""The sheets of an assessment: a snapshot in, rows and sentences of the active language out."""
