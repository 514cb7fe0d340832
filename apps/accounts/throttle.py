"""Slowing down guesses of a password."""

import hashlib
from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.models import FailedSignIn

WINDOW = timedelta(minutes=15)
LIMIT = 10


def key_of(request: HttpRequest, email: str) -> str:
    """Account and address together: a stranger must not lock a colleague out."""
    address = request.META.get("REMOTE_ADDR", "")
    return hashlib.sha256(f"{email.strip().lower()}|{address}".encode()).hexdigest()


def is_blocked(key: str) -> bool:
    since = timezone.now() - WINDOW
    return FailedSignIn.objects.filter(key=key, at__gte=since).count() >= LIMIT


def record_failure(key: str) -> None:
    FailedSignIn.objects.filter(at__lt=timezone.now() - WINDOW).delete()
    FailedSignIn.objects.create(key=key)


def clear(key: str) -> None:
    FailedSignIn.objects.filter(key=key).delete()
