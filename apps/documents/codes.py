"""The code on a paper by which anybody may ask whether it is still the one that counts.

It comes from the identifier of the file, because the hash of a file cannot stand inside it: the
same document has the same code, and nobody finds one by trying.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

# Crockford's 32 signs: none is taken for another one when read aloud or typed.
_SIGNS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 16  # of 5 bits: 80 bits
_GROUP: Final = 4
_TYPED: Final = str.maketrans("OIL", "011", " -\u2013\u2014\u00a0")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


def code_of(identifier: str) -> str:
    """Sixteen signs for the identifier of a document."""
    number = int.from_bytes(hashlib.sha256(f"verify:{identifier}".encode()).digest(), "big")
    return "".join(_SIGNS[number >> 5 * place & 31] for place in range(_LENGTH))


def spaced(code: str) -> str:
    """`XXXX-XXXX-XXXX-XXXX`, as it is printed."""
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def read_code(typed: str) -> str:
    """What somebody typed as a code, or "" when it cannot be one."""
    code = typed.strip().upper().translate(_TYPED)
    return code if len(code) == _LENGTH and set(code) <= set(_SIGNS) else ""


def read_sha256(typed: str) -> str:
    """What somebody pasted as the hash of a file, or "" when it cannot be one."""
    found = "".join(typed.split()).lower()
    return found if _SHA256.fullmatch(found) else ""
