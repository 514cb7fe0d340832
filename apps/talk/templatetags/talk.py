"""The way from a thing on a page to the comments about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.template.context import Context

register = template.Library()


@register.inclusion_tag("talk/partials/here.html", takes_context=True)
def comments_about(context: Context, kind: str, key: str, name: str) -> Mapping[str, Any]:
    """A link beside an answer, a figure or a variant; nothing where the page has no threads."""
    panel = context.get("talk")
    target = f"{kind}:{key}"
    count = panel.counts.get(target, 0) if panel else 0
    writes = bool(panel and panel.may_comment)
    page = panel.page if panel else ""
    return {
        "target": target,
        "name": name,
        "count": count,
        "shown": count or writes,
        "page": page,
        "joint": "&" if "?" in page else "?",
    }
