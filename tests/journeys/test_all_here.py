"""All twenty journeys have their test, where the table of this package says, and five a browser."""

import re
from pathlib import Path

from tests import journeys

ROW = re.compile(r"^\| J(\d+) +\| [^|]+ \| ([\w, ]+?) *\| ([\w]*) *\|$", re.MULTILINE)
HERE = Path(__file__).parent
BROWSER = HERE.parent / "browser"


def rows() -> dict[int, tuple[list[str], str]]:
    found = ROW.findall(journeys.__doc__ or "")
    return {int(number): (files.split(", "), browser) for number, files, browser in found}


def test_every_journey_is_played_where_the_table_says():
    assert list(rows()) == list(range(1, 21))
    for number, (files, _browser) in rows().items():
        for name in files:
            text = (HERE / f"{name}.py").read_text(encoding="utf-8")
            assert re.search(rf"^def test_j{number}_", text, re.MULTILINE), (number, name)


def test_five_are_walked_in_a_browser_and_say_which_they_are():
    walked = {number: browser for number, (_files, browser) in rows().items() if browser}
    assert len(walked) == 5
    for number, name in walked.items():
        opening = (BROWSER / f"{name}.py").read_text(encoding="utf-8").partition('"""\n')[0]
        assert f"J{number}:" in opening, name
