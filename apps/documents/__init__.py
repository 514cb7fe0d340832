"""The assessment as a PDF."""
