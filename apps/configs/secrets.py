"""Nothing secret leaves a file: what looks like a key or a password is dropped before it is used."""

from __future__ import annotations

import re
from typing import Final

_SECRET_INSIDE: Final = re.compile(
    r"hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"
    r"|glpat-[\w-]{16,}|AKIA[0-9A-Z]{12,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|ya29\.[\w-]{10,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}"
)
_SECRET: Final = re.compile(_SECRET_INSIDE.pattern + r"|-----BEGIN|^[0-9a-fA-F]{32,}$")
# What a setting is called that holds one, however its value is written after it.
_KEYED: Final = re.compile(
    r"(?<![\w])(?P<key>(?:\w{0,40}(?:api_?key|secret|passw(?:or)?d|access_key)\w{0,20}"
    r"|(?:hub|hf|huggingface|auth|access|api|bot|github|gitlab|swanlab|use_auth)_?token)"
    r"[\"']?(?:[ \t]*[:=][ \t]*|[ \t]+)[\"']?)(?P<value>[^\s\"',;{}$<>\[\]()]{6,})",
    re.IGNORECASE,
)
_WORDS: Final = frozenset(["false", "no_auth", "required"])
_REMOVED: Final = "REMOVED"
_LARGEST_TEXT: Final = 2**21
_USER_IN_ADDRESS: Final = re.compile(r"(?<=://)[^/@\s]*@")
_QUERY: Final = re.compile(
    r"[?&][\w.-]*(?:token|key|secret|password|signature|sig)=.*", re.IGNORECASE
)


def stripped(content: bytes) -> bytes:
    """A text without its keys and passwords, to be kept; bytes that are no text as they are."""
    if len(content) > _LARGEST_TEXT:
        return content
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    clean = _KEYED.sub(_without_value, text)
    clean = _SECRET_INSIDE.sub(_REMOVED, clean)
    clean = _USER_IN_ADDRESS.sub("", clean)
    return clean.encode("utf-8") if clean != text else content


def _without_value(found: re.Match[str]) -> str:
    word = found.group("value").lower()
    return found.group() if word in _WORDS else found.group("key") + _REMOVED


def without_secrets(text: str) -> str | None:
    """`text` without credentials in an address; None when it is a credential itself."""
    if _SECRET.search(text):
        return None
    return _QUERY.sub("", _USER_IN_ADDRESS.sub("", text)).strip()
