"""Which facts an answer rests on, as one hash."""

import hashlib
from functools import lru_cache

from django.conf import settings


@lru_cache(maxsize=1)
def fixture_sha256() -> str:
    """Hash of every file under `fixtures/catalog`, names and contents, in order of name."""
    digest = hashlib.sha256()
    for path in sorted((settings.FIXTURES_DIR / "catalog").glob("*.json")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
