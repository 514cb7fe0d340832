"""Every text exists in both languages, and every text the code names exists."""

import re
from string import Formatter

import pytest

from config.launcher.layout import ROOT
from config.launcher.texts import Problem, catalogue, complain, language, text

SPOKEN = re.compile(r'(?:\btext|\bsay|\bnote|Problem|narrate|step)\(\s*"([a-z_]+\.[a-z_.]+)"')


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("key", sorted(catalogue()))
def test_both_languages_fill_the_same_places(key: str) -> None:
    sentences = catalogue()[key]
    assert set(sentences) == {"en", "ru"}
    assert places(sentences["en"]) == places(sentences["ru"])
    assert all(sentences.values())


def test_every_text_that_the_code_says_exists() -> None:
    said = set()
    for module in (ROOT / "config" / "launcher").glob("*.py"):
        said |= set(SPOKEN.findall(module.read_text(encoding="utf-8")))
    assert len(said) > 30
    assert said <= set(catalogue())


@pytest.mark.parametrize(
    ("environ", "spoken"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "ru_RU.UTF-8"}, "ru"),
        ({}, "en"),
    ],
)
def test_the_first_locale_variable_that_is_set_decides(
    environ: dict[str, str], spoken: str
) -> None:
    assert language(environ) == spoken


def test_a_problem_is_told_with_the_command_that_mends_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    complain(Problem("disk.no_space", "df -h /srv", folder="/srv"))
    said = capsys.readouterr().err
    assert "no space is left on the disk of /srv" in said
    assert said.rstrip().endswith("df -h /srv")


def test_a_forgotten_place_is_an_error() -> None:
    with pytest.raises(KeyError):
        text("disk.no_space")
