"""Offers of suppliers beside each other, on equal terms and without prices."""
