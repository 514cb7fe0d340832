"""Keeping the links of letters out of the log. Imported before the apps are: no models here."""

import logging
import re
from typing import Any, Final

# An address that a refused request had may still open something for whoever reads the log.
_LINK: Final = re.compile(
    r"(/accounts/(?:confirm|invitation|profile/email|reset/[^/\s]+)/|/guest/link/)(?!sent/)[^/\s]+"
)


def hidden(text: str) -> str:
    return _LINK.sub(r"\1…", text)


class HideLinks(logging.Filter):
    """Never drops a line; cuts tokens out of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = _plain(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(_plain(value) for value in record.args)
        return True


def _plain(value: Any) -> Any:
    return hidden(value) if isinstance(value, str) else value
