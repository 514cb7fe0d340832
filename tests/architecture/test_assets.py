"""What the pages load: all of it from here, with its licence, without a trace of where it was made."""

import re
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

ROOT: Final = Path(settings.BASE_DIR) / "static"
SHEETS: Final = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.css"))
SCRIPTS: Final = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.js"))


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def target_of(name: str, address: str) -> Path:
    """The file that a sheet means. The printed sheet names fonts as `asset:`."""
    if address.startswith("asset:"):
        return ROOT / "fonts" / address.removeprefix("asset:")
    return (ROOT / name).parent / address


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_refers_only_to_files_that_are_here(name: str) -> None:
    addresses = re.findall(r"""url\(["']?([^"')]+)""", text_of(name))
    files = [a for a in addresses if not a.startswith(("data:", "#", "%23"))]
    assert [a for a in files if not target_of(name, a).is_file()] == []
    assert "@import" not in text_of(name)


@pytest.mark.parametrize("name", [*SHEETS, *SCRIPTS])
def test_nothing_names_a_source_map_that_is_not_here(name: str) -> None:
    """Collecting hashed files stops at such a name."""
    assert "sourceMappingURL" not in text_of(name)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_evaluates_no_text_when_it_is_ours(name: str) -> None:
    if name.startswith("vendor/"):
        assert (
            name == "vendor/htmx.min.js"
        )  # kept from evaluating by its configuration in base.html
    else:
        assert not re.search(r"\beval\(|new Function|innerHTML|document\.write", text_of(name))


def test_htmx_is_told_to_evaluate_nothing_and_to_write_no_styles() -> None:
    base = (ROOT.parent / "templates" / "base.html").read_text(encoding="utf-8")
    assert '"includeIndicatorStyles": false' in base
    assert '"allowEval": false' in base
    assert '"selfRequestsOnly": true' in base


@pytest.mark.parametrize(
    ("file", "licence", "words"),
    [
        ("vendor/bootstrap.min.css", "vendor/bootstrap.LICENSE", "MIT License"),
        ("vendor/htmx.min.js", "vendor/htmx.LICENSE", "Zero-Clause BSD"),
        ("fonts/GolosText_400Regular.woff2", "fonts/GolosText-OFL.txt", "SIL Open Font License"),
        (
            "fonts/JetBrainsMono_400Regular.ttf",
            "fonts/JetBrainsMono-OFL.txt",
            "SIL Open Font License",
        ),
    ],
)
def test_what_others_made_stands_beside_its_licence(file: str, licence: str, words: str) -> None:
    assert (ROOT / file).is_file()
    assert words.lower() in text_of(licence).lower()


def test_no_trace_of_a_package_manager_is_kept() -> None:
    assert not [p for p in ROOT.rglob("*") if p.name in ("package.json", "package-lock.json")]
