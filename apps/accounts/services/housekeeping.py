"""What the ways in leave behind: sessions that are over, and sign-ups that nobody confirmed."""

from importlib import import_module

from django.conf import settings
from django.utils import timezone

from apps.accounts.models import SignUp
from apps.accounts.services.sign_up import KEPT_FOR


def leftovers_purge() -> int:
    """Delete both; returns how many sign-ups."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return SignUp.objects.filter(expires_at__lt=timezone.now() - KEPT_FOR).delete()[0]
