"""Files by the sha256 of their content, under `settings.BLOB_DIR`.

A blob is written beside its place, flushed to the disk and renamed, so that a reader finds all of
it or nothing. Rows refer to blobs by hash and are written after them; a blob that no row came to
refer to costs only space.
"""

import hashlib
import os
import secrets
import shutil
from pathlib import Path

from django.conf import settings


class BlobDamaged(Exception):
    """The file is missing, or is not what its name says."""


def path_of(sha256: str) -> Path:
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError(f"not a sha256: {sha256[:80]!r}")
    return Path(settings.BLOB_DIR) / sha256[:2] / sha256[2:4] / sha256


def free_bytes() -> int:
    """What is free on the disk of the blobs."""
    folder = Path(settings.BLOB_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    return shutil.disk_usage(folder).free


def write(content: bytes) -> str:
    """Store `content` and return its sha256. Storing it twice is the same as once."""
    sha256 = hashlib.sha256(content).hexdigest()
    target = path_of(sha256)
    if target.exists():
        return sha256
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{sha256[:8]}-{secrets.token_hex(8)}")
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return sha256


def read(sha256: str) -> bytes:
    """Return the content.

    Raises:
        BlobDamaged: it is missing or does not hash to its name; never serve such bytes.
    """
    try:
        content = path_of(sha256).read_bytes()
    except FileNotFoundError:
        raise BlobDamaged(f"{sha256} is missing") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise BlobDamaged(f"{sha256} does not hold what its name says")
    return content
