"""Threads of comments on the pages of clients and of the house."""
