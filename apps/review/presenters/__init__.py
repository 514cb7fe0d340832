"""Rows and cells for the templates: text in the active language, no HTML, no queries."""
