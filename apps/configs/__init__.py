"""Reads the training configurations people already have and says what a task can take from them.

Pure functions: nothing is fetched, executed or stored. A file is hostile until it is read.
"""
