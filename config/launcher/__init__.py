"""The launcher behind `./podbor`. Standard library only: it runs before anything is installed.

Modules named `inside*` are the exception: they are run by the virtual environment's Python.
"""
