"""The sheet's style: the colours of the design and no address outside the map of assets."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from apps.documents.press import assets

STATIC = Path(settings.BASE_DIR) / "static"
STYLE = (STATIC / "pdf" / "pdf.css").read_text(encoding="utf-8")


def test_its_colours_are_the_light_ones_of_the_design() -> None:
    tokens = (STATIC / "css" / "tokens.css").read_text(encoding="utf-8")
    light = tokens.split("prefers-color-scheme: dark")[0].lower()
    used = set(re.findall(r"#[0-9a-f]{3,8}\b", STYLE.lower()))
    assert {c for c in used if c not in light and c != "#ffffff"} == set()


def test_it_asks_for_nothing_but_the_assets_it_is_given() -> None:
    asked = set(re.findall(r"url\(\"?([^\")]+)\"?\)", STYLE))
    assert asked
    assert asked <= set(assets())
    assert "@import" not in STYLE
