"""Estimates of a revision: calculations, results, the assessment."""
