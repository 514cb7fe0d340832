"""Environment variables, read with types and refused loudly when they make no sense."""

import os
import re
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def env_str(name: str, default: str | None = None) -> str:
    """Return the variable, or `default`; without a default it must be set."""
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"set the environment variable {name}")
    return value


def env_bool(name: str, *, default: bool) -> bool:
    text = os.environ.get(name)
    if text is None:
        return default
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}")


def env_int(name: str, default: int) -> int:
    text = os.environ.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {text!r}") from None


def env_list(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def env_secret(name: str) -> str:
    """Read a secret from NAME, or from the file named by NAME_FILE. At least 50 characters."""
    path = os.environ.get(f"{name}_FILE")
    value = Path(path).read_text(encoding="utf-8").strip() if path else os.environ.get(name, "")
    if len(value) < 50:
        raise ImproperlyConfigured(f"{name} (or {name}_FILE) must hold at least 50 characters")
    return value


def database_from_url(url: str) -> dict[str, object]:
    """Django's settings for `postgresql://user:password@host:port/name`.

    A socket folder is given as the host, percent-encoded: `postgresql://u@%2Frun%2Fpg/podbor`.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured("DATABASE_URL must start with postgresql://")
    host = parts.netloc.rpartition("@")[2].partition(":")[0]  # urlsplit would lower-case a path
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(host),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "options": "-c statement_timeout=15000 -c lock_timeout=5000"
            " -c idle_in_transaction_session_timeout=30000"
        },
    }


def sqlite_at(path: Path) -> dict[str, object]:
    """Django's settings for SQLite that several processes write to.

    IMMEDIATE takes the write lock at BEGIN: a deferred transaction that turns into a write fails
    at once, whatever the timeout.
    """
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            " PRAGMA foreign_keys=ON; PRAGMA busy_timeout=20000;",
        },
    }


def refuse_senseless_mail(
    *, host: str, port: int, user: str, password: str, start_tls: bool, tls: bool, sender: str
) -> None:
    """Look at what mail is handed over with, before the first mail fails on it.

    Raises:
        ImproperlyConfigured: naming the variable.
    """
    if not re.fullmatch(r"[A-Za-z0-9._:\[\]-]+", host) or "//" in host:
        raise ImproperlyConfigured("EMAIL_HOST must be the name or address of the mail server")
    if not 1 <= port <= 65_535:
        raise ImproperlyConfigured(f"EMAIL_PORT must be between 1 and 65535, not {port}")
    if start_tls and tls:
        raise ImproperlyConfigured(
            "set EMAIL_USE_TLS (STARTTLS, mostly port 587) or EMAIL_USE_SSL (port 465), not both"
        )
    if bool(user) != bool(password):
        raise ImproperlyConfigured("EMAIL_HOST_USER and EMAIL_HOST_PASSWORD belong together")
    _name, address = parseaddr(sender)
    if not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", address) or not sender.isprintable():
        raise ImproperlyConfigured("DEFAULT_FROM_EMAIL must be an address, or Name <address>")
