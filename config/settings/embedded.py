"""One machine, one command: SQLite, a folder as the queue, demo people on the first start."""

import os
import secrets

from config.env import database_from_url, env_bool, env_list, env_str, sqlite_at
from config.settings.base import *

EMBEDDED = True
QUIET_MAIL = False  # whoever tries it out looks at once
DEMO_STORIES = env_bool("PODBOR_DEMO_STORIES", default=True)
ALLOWED_HOSTS = env_list("PODBOR_ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
SITE_URL = env_str("SITE_URL", "http://127.0.0.1:8000")
CSRF_TRUSTED_ORIGINS = [SITE_URL]


def _secret_key() -> str:
    """The key of this data folder, made on the first start and readable by its owner only."""
    path = DATA_DIR / "secret.key"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        key = secrets.token_urlsafe(48)
        file.write(key)
    return key


DATA_DIR.mkdir(parents=True, exist_ok=True)
SECRET_KEY = _secret_key()

# Compressing takes four seconds of the first start and saves nothing over the loopback.
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"

_database_url = env_str("DATABASE_URL", "")
DATABASES = {
    "default": database_from_url(_database_url)
    if _database_url
    else sqlite_at(DATA_DIR / "podbor.sqlite3")
}

REDIS_URL = env_str("REDIS_URL", "")
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "health_check_interval": 25,
    }
else:
    # kombu moves each message through the temporary folder, which must be on the same disk.
    QUEUE_DIR = DATA_DIR / "queue"
    CELERY_BROKER_URL = "filesystem://"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE_DIR / "messages"),
        "data_folder_out": str(QUEUE_DIR / "messages"),
        "processed_folder": str(QUEUE_DIR / "processed"),
        "control_folder": str(QUEUE_DIR / "control"),
        "store_processed": False,
        "polling_interval": 0.1,
    }

EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = DATA_DIR / "mail"
EMAIL_FILE_PATH.mkdir(mode=0o700, exist_ok=True)  # links that sign people in lie there
