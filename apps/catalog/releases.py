"""Which catalog is in force, and any catalog that a calculation began with.

A process reads a release once and keeps it: what a hash names never changes. Which hash is in
force is asked of the database, once a request, so all processes agree. Before the first
`catalog_sync` the fixtures themselves are in force.
"""

from __future__ import annotations

import json
import logging
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from django.core.signals import request_finished, request_started
from django.dispatch import receiver

from apps.catalog.facts import catalog_from, fixture_catalog, fixture_document, fixture_sha256
from apps.catalog.models import Head, Release
from apps.core.canonical import sha256_of
from apps.sizing.facts import Catalog

logger = logging.getLogger(__name__)

_request = threading.local()
_known: Contents | None = None


class UnknownRelease(LookupError):
    """No catalog of this hash is stored."""


@dataclass(frozen=True)
class Contents:
    """A catalog: its hash, its rows with their sources, and the engine's value of them."""

    sha256: str
    document: Mapping[str, Any]

    @cached_property
    def catalog(self) -> Catalog:
        is_shipped = self.document is fixture_document()
        return fixture_catalog() if is_shipped else catalog_from(self.document)

    @cached_property
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """Hardware by slug, constants and models by key, in the order of the document."""
        parts = ("servers", "accelerators", "cpus", "nics", "drives", "dimms")
        # A release of an earlier version has no memory modules.
        hardware = {row["slug"]: row for part in parts for row in self.document.get(part, ())}
        constants = {row["key"]: row for row in self.document["constants"]}
        models = {row["name"]: row for row in self.document["architectures"]}
        return {**models, **constants, **hardware}


@lru_cache(maxsize=1)
def fixture_contents() -> Contents:
    """The shipped catalog, without a database."""
    return Contents(sha256=fixture_sha256(), document=fixture_document())


@lru_cache(maxsize=8)
def contents_of(sha256: str) -> Contents:
    """The catalog of this hash. The same object for the same hash, in one process.

    The shipped catalog is at hand under its hash; any other is read from the database.

    Raises:
        UnknownRelease: it is not stored.
    """
    return fixture_contents() if sha256 == fixture_sha256() else stored_contents(sha256)


def stored_contents(sha256: str) -> Contents:
    """The catalog of this hash as the database keeps it.

    Raises:
        UnknownRelease: it does not keep one that hashes to its name.
    """
    release = Release.objects.filter(pk=sha256).first()
    if release is None:
        raise UnknownRelease(f"no release {sha256} is stored")
    text = zlib.decompress(release.body).decode()
    if sha256_of(text) != sha256:
        raise UnknownRelease(f"release {sha256} does not hash to its name")
    return Contents(sha256=sha256, document=json.loads(text))


def contents_for(sha256: str) -> Contents:
    """The catalog that a calculation began with. Calculations older than the keeping of releases
    name one that nobody kept: the catalog in force stands in."""
    try:
        return contents_of(sha256)
    except UnknownRelease:
        logger.warning("no release %s: the catalog in force stands in", sha256)
        return present_contents()


def present_sha256() -> str:
    """The hash of the catalog in force. Asked of the database, once a request."""
    known: str | None = getattr(_request, "sha256", None)
    if known is not None:
        return known
    release_id = Head.objects.values_list("release_id", flat=True).first()
    found = release_id or fixture_sha256()
    if getattr(_request, "open", False):
        _request.sha256 = found
    return found


def present_contents() -> Contents:
    """The catalog in force."""
    global _known  # noqa: PLW0603 - one value a process, replaced whole
    _known = contents_of(present_sha256())
    return _known


def present_catalog() -> Catalog:
    """The engine's value of the catalog in force."""
    return present_contents().catalog


def known_catalog() -> Catalog:
    """The catalog that this process saw in force last, without asking the database: for names."""
    return (_known or fixture_contents()).catalog


@receiver(request_started, dispatch_uid="catalog")
def request_begins(**_signal: Any) -> None:
    """From here to the end of the request one catalog is in force for this thread."""
    _request.open, _request.sha256 = True, None


@receiver(request_finished, dispatch_uid="catalog")
def request_ends(**_signal: Any) -> None:
    _request.open, _request.sha256 = False, None


def forget_present() -> None:
    """The catalog in force has just changed in this thread."""
    _request.sha256 = None
