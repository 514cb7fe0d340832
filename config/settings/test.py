"""The test suite: SQLite by default, PostgreSQL and Redis when their URLs are set."""

import tempfile
from pathlib import Path

from config.env import database_from_url, env_str, sqlite_at
from config.settings.base import *

EMBEDDED = True
QUIET_MAIL = False  # tests run at any hour
SECRET_KEY = "tests-only-tests-only-tests-only-tests-only-tests-only"
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
SITE_URL = "http://testserver"

DATA_DIR = Path(tempfile.gettempdir()) / "podbor-tests"
BLOB_DIR = DATA_DIR / "blobs"
STATIC_ROOT = DATA_DIR / "static"
_database_url = env_str("DATABASE_URL", "")
if _database_url:
    DATABASES = {"default": database_from_url(_database_url)}
else:
    DATABASES = {"default": sqlite_at(DATA_DIR / "unused.sqlite3") | {"TEST": {"NAME": None}}}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; never outside tests
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_BROKER_URL = "memory://"
LOGGING = LOGGING | {"root": {"handlers": ["stderr"], "level": "ERROR"}}
WHITENOISE_AUTOREFRESH = True  # static files from their places, nothing collected
