"""What the views share: reading forms that have no page of their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from apps.core.errors import DomainError


def accepted(form: forms.Form) -> dict[str, Any]:
    """What a form without a page of its own carries.

    Raises:
        DomainError: the first thing that is wrong, for the page that says so.
    """
    if form.is_valid():
        return form.cleaned_data
    shown = [str(text) for name, texts in form.errors.items() if name in _TYPED for text in texts]
    raise DomainError(shown[0] if shown else _("The form was not complete. Go back and try again."))


# Fields that people type; what is wrong with the others is nothing they could mend.
_TYPED = frozenset({"text", "comment", "reason", "owner_name", "due_text"})
