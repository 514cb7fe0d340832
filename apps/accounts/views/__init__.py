"""Screens about people: the ways in, the profile, the company, the administrator's list."""
