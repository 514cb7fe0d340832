"""The words of a notice's mail, made when it is sent."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse

from apps.jobs.services import Unrepeatable
from apps.notices.models import Notice
from apps.notices.wording import words_of


def context(params: Mapping[str, Any]) -> dict[str, Any]:
    """Words and addresses: what to do comes first.

    Raises:
        Unrepeatable: the person has left or was switched off since.
    """
    notice = Notice.objects.select_related("user").filter(pk=params["notice"]).first()
    if notice is None or not notice.user.is_active:
        raise Unrepeatable("the person is gone")
    words = words_of(notice.event, notice.params)
    return {
        "heading": words.heading,
        "todo": words.todo,
        "due": words.due,
        "text": words.text,
        "link": words.link,
        "url": settings.SITE_URL.rstrip("/") + notice.path,
        "choice_url": settings.SITE_URL.rstrip("/") + reverse("notices:mails"),
    }
