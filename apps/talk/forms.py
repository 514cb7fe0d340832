"""What is sent by the forms of a thread."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.requisitions.models import Annotation

TEXT_MAX_CHARS = 4000


class WordsForm(forms.Form):
    """The words of an answer, or a comment mended."""

    text = forms.CharField(
        max_length=TEXT_MAX_CHARS, error_messages={"required": _("Write the remark first.")}
    )


class CommentForm(WordsForm):
    """A comment. Who sees it is said, never supposed."""

    visibility = forms.ChoiceField(
        choices=Annotation.Visibility.choices,
        error_messages={"required": _("Say who sees the comment.")},
    )
    target = forms.CharField(max_length=100, required=False)
