"""An import as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_ORIGINS: Final = {
    "file": gettext_lazy("from the file"),
    "framework default": gettext_lazy("the framework's default"),
    "guess": gettext_lazy("a guess, to be confirmed"),
}


def report_lines(result: Mapping[str, Any]) -> Iterator[str]:
    """One file: its format, a line a field with its origin, what to ask, what was not used."""
    if "error" in result:
        error = result["error"]
        yield f"{result['path']}: {error['message']} [{error['code']}]"
        return
    yield f"{result['path']}: {result['format']}"
    width = max((len(name) for name in result["fields"]), default=0)
    for name, found in result["fields"].items():
        yield f"  {name:<{width}}  {_shown(found['value'])}  ({_ORIGINS[found['origin']]})"
    for label, names in ((_("To ask"), result["ask"]), (_("Not used"), result["not_recognised"])):
        if names:
            yield f"  {label}: {', '.join(names)}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return ", ".join(value) if isinstance(value, list) else str(value)
