"""The project: settings, URLs, the Celery application and the launcher.

Nothing is imported here: the launcher runs before anything is installed.
"""
