"""Both languages are complete, and what is committed is what runs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "config" / "locale" / "ru" / "LC_MESSAGES"
FUNCTIONS = {
    "_": "id",
    "gettext": "id",
    "gettext_lazy": "id",
    "gettext_noop": "id",
    "ngettext": "plural",
    "ngettext_lazy": "plural",
    "pgettext": "context",
    "pgettext_lazy": "context",
    "npgettext": "context plural",
    "npgettext_lazy": "context plural",
}
Key = tuple[str, str]


@pytest.fixture(scope="module")
def catalogue() -> polib.POFile:
    return polib.pofile(str(CATALOGUE / "django.po"))


def key_of(name: str, arguments: list[str]) -> Key:
    """(context, msgid) of a call."""
    if FUNCTIONS[name].startswith("context"):
        return arguments[0], arguments[1]
    return "", arguments[0]


def keys_of_python(path: Path) -> Iterator[Key]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        texts = [
            a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
        ]
        if name in FUNCTIONS and texts:
            yield key_of(name, texts)


# The arguments end at the first bracket outside quotes.
CALL = re.compile(
    r"""\s((?:n?p?gettext)|_)\(((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^'")])*)\)\s""", re.DOTALL
)


def keys_of_template(path: Path) -> Iterator[Key]:
    for name, arguments in CALL.findall(templatize(path.read_text(encoding="utf-8"))):
        texts = [
            a.value
            for a in ast.parse(f"f({arguments})").body[0].value.args
            if isinstance(a, ast.Constant)
        ]
        yield key_of(name, [t for t in texts if isinstance(t, str)])


def used_keys() -> set[Key]:
    python = (p for p in (ROOT / "apps").rglob("*.py") if "migrations" not in p.parts)
    found = {key for path in python for key in keys_of_python(path)}
    templates = (ROOT / "templates").rglob("*")
    for path in (p for p in templates if p.suffix in {".html", ".txt"}):
        found |= set(keys_of_template(path))
    return found


def test_every_string_has_a_russian_translation(catalogue):
    known = {(e.msgctxt or "", e.msgid): e for e in catalogue}
    missing = sorted(f"{key}" for key in used_keys() if key not in known)
    assert not missing, f"{len(missing)} strings are not in the catalogue: {missing[:20]}"
    empty = sorted(e.msgid for e in catalogue if not e.translated())
    assert not empty, f"{len(empty)} strings have no translation: {empty[:20]}"


def test_nothing_is_fuzzy_obsolete_or_unused(catalogue):
    assert [e.msgid for e in catalogue if e.fuzzy] == []
    assert [e.msgid for e in catalogue.obsolete_entries()] == []
    used = used_keys()
    unused = sorted(e.msgid for e in catalogue if (e.msgctxt or "", e.msgid) not in used)
    assert not unused, f"{len(unused)} strings are used nowhere: {unused[:20]}"


def test_the_compiled_catalogue_is_the_written_one(catalogue):
    compiled = polib.mofile(str(CATALOGUE / "django.mo"))
    written = {
        (e.msgctxt, e.msgid, e.msgstr, tuple(sorted(e.msgstr_plural.items()))) for e in catalogue
    }
    running = {
        (e.msgctxt, e.msgid, e.msgstr, tuple(sorted(e.msgstr_plural.items()))) for e in compiled
    }
    assert written == running


PLACE = re.compile(r"%\((\w+)\)[sd]|%[sd]")


def test_a_translation_has_the_places_of_its_source(catalogue):
    for entry in catalogue:
        wanted = set(PLACE.findall(entry.msgid)) | set(PLACE.findall(entry.msgid_plural))
        for text in [entry.msgstr, *entry.msgstr_plural.values()]:
            if text:
                assert set(PLACE.findall(text)) == wanted, entry.msgid


def test_a_plural_has_all_of_russians_forms(catalogue):
    for entry in catalogue:
        if entry.msgid_plural:
            assert set(entry.msgstr_plural) == {0, 1, 2, 3}, entry.msgid
            assert all(entry.msgstr_plural.values()), entry.msgid
