"""Nothing secret leaves a file: what looks like a key or a password is dropped before it is used."""

from __future__ import annotations

import re
from typing import Final

_SECRET: Final = re.compile(
    r"hf_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}"
    r"|glpat-[\w-]{16,}|AKIA[0-9A-Z]{12,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{30,}|ya29\.[\w-]{10,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}|-----BEGIN|^[0-9a-fA-F]{32,}$"
)
_USER_IN_ADDRESS: Final = re.compile(r"(?<=://)[^/@\s]*@")
_QUERY: Final = re.compile(
    r"[?&][\w.-]*(?:token|key|secret|password|signature|sig)=.*", re.IGNORECASE
)


def without_secrets(text: str) -> str | None:
    """`text` without credentials in an address; None when it is a credential itself."""
    if _SECRET.search(text):
        return None
    return _QUERY.sub("", _USER_IN_ADDRESS.sub("", text)).strip()
