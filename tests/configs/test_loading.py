"""What a bare word means, and how much of a file is read before it is refused."""

import time

import pytest

from apps.configs.errors import ConfigError
from apps.configs.importer import read_config
from apps.configs.loading import load
from apps.configs.opaque import OPAQUE
from apps.configs.readers.json_reader import read_json
from apps.configs.readers.toml_reader import read_toml
from apps.configs.readers.yaml_reader import read_yaml
from apps.configs.references import resolve_references
from apps.configs.scalars import resolve_scalar


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-4", 1e-4),
        ("2.", 2.0),
        (".5", 0.5),
        ("-3", -3),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("１２", "１２"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("1e999", "1e999"),
        ("9" * 400, "9" * 400),
        ("2026-11-30", "2026-11-30"),
    ],
)
def test_a_bare_word_is_read_by_the_core_schema_of_yaml_1_2(text, value):
    found = resolve_scalar(text)
    assert found == value
    assert type(found) is type(value)


def test_a_quoted_word_stays_text():
    assert read_yaml("a: \"1\"\nb: 'true'")[0] == {"a": "1", "b": "true"}


def test_a_repeated_yaml_key_keeps_its_last_value_and_is_named():
    tree, repeated = read_yaml("a:\n  b: 1\n  b: 2\n")
    assert tree == {"a": {"b": 2}}
    assert repeated == ("a.b",)


def test_aliases_and_merges_are_copied():
    tree, _repeated = read_yaml("base: &b {x: 1, y: 2}\nown:\n  <<: *b\n  y: 3\n")
    assert tree["own"] == {"x": 1, "y": 3}


def bomb(levels=9, width=9):
    higher = [
        f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]"
        for level in range(1, levels)
    ]
    return "\n".join(["a0: &a0 [x]", *higher])


REFUSED = {
    "alias bomb": ("b.yaml", bomb(), "too-large"),
    "merge bomb": ("b.yaml", bomb().replace("[x]", "{k: v}"), "too-large"),
    "deep flow": ("d.yaml", "[" * 60 + "]" * 60, "too-deep"),
    "endless flow": ("d.yaml", "[" * 200_000, "bad-syntax"),
    "deep blocks": ("d.yaml", "\n".join(" " * i + "a:" for i in range(60)), "too-deep"),
    "many nodes": ("m.yaml", "\n".join(f"k{i}: 1" for i in range(9000)), "too-large"),
    "python tag": ("t.yaml", "a: !!python/object/apply:os.system ['true']", "tag-refused"),
    "tag of a binary": ("t.yaml", "a: !!binary aGk=", "tag-refused"),
    "own tag": ("t.yaml", "a: !ENV secret", "tag-refused"),
    "unknown alias": ("t.yaml", "a: *nobody", "bad-syntax"),
    "alias to itself": ("t.yaml", "a: &x [*x]", "bad-syntax"),
    "key that is a list": ("t.yaml", "? [a, b]\n: 1", "bad-syntax"),
    "broken yaml": ("t.yaml", "a: [1, 2", "bad-syntax"),
    "deep json": ("d.json", '{"a":' * 3000, "too-deep"),
    "json twice": ("d.json", '{"a": 1, "a": 2}', "duplicate-key"),
    "json nan": ("d.json", '{"a": NaN}', "not-finite"),
    "json infinity": ("d.json", '{"a": [-Infinity]}', "not-finite"),
    "broken json": ("d.json", '{"a": ', "bad-syntax"),
    "deep toml": ("d.toml", "a = " + "[" * 2000, "too-deep"),
    "dotted toml": ("d.toml", ".".join(["a"] * 3000) + " = 1", "too-deep"),
    "toml nan": ("d.toml", "a = nan", "not-finite"),
    "broken toml": ("d.toml", "a = = 1", "bad-syntax"),
    "broken python": ("s.py", "def f(:", "bad-syntax"),
    "deep python": ("s.py", "x = " + "(" * 3000, "bad-syntax"),
    "long sum": ("s.py", "x = " + "1+" * 60_000 + "1", "bad-syntax"),
    "script too long": ("s.py", "# a\n" * 40_000, "too-large"),
    "shell that doubles": ("s.sh", "A=xxxxxxxx\n" + "A=$A$A\n" * 40, "too-large"),
    "a megabyte and a byte": ("m.yaml", "a" * (2**20 + 1), "too-large"),
    "a line of a megabyte": ("m.yaml", "a: " + "b" * (2**20 - 3), "unknown-format"),
    "nothing": ("n.yaml", " \n", "bad-syntax"),
    "a list": ("n.yaml", "- a\n- b", "unknown-format"),
    "prose": ("n.yaml", "just words", "unknown-format"),
    "script without options": ("n.sh", "ls\n", "unknown-format"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_a_configuration_is_refused_in_time(name):
    path, text, code = REFUSED[name]
    started = time.process_time()
    with pytest.raises(ConfigError) as refusal:
        read_config(path, text.encode())
    assert refusal.value.code == code
    assert time.process_time() - started < 2


@pytest.mark.parametrize("data", [b"\x00\x01", b"\xff\xfe\x00", b"caf\xe9: 1", b"a: \x00"])
def test_what_is_not_text_is_refused(data):
    with pytest.raises(ConfigError) as refusal:
        load("a.yaml", data)
    assert refusal.value.code == "not-text"


def test_the_kind_of_a_value_may_be_said_aloud():
    text = "a: !!float $rate\nb: !!int '8'\nc: !!bool true\nd: !!str 8\ne: !!seq [1]\nf: !!map {}"
    tree = load("a.yaml", text.encode())[0].tree
    assert tree == {"a": "$rate", "b": 8, "c": True, "d": "8", "e": [1], "f": {}}


def test_a_byte_order_mark_is_no_key():
    assert load("a.yaml", "a: 1".encode("utf-8-sig"))[0].tree == {"a": 1}


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ('{"a": 1}', "json"),
        ("a: 1\nb: 2", "yaml"),
        ("[table]\na = 1", "toml"),
        ("a = 1\nb = 2", "toml"),
        ("#!/bin/bash\ntorchrun x.py --lr 1", "shell"),
        ("torchrun x.py \\\n  --lr 1 \\\n  --seed 2", "shell"),
        ("import torch\nx = f(a=1)", "python"),
    ],
)
def test_without_a_suffix_the_text_tells_its_notation(text, notation):
    assert load("upload", text.encode())[0].notation == notation


def test_json_with_comments_and_a_last_comma_is_read():
    tree = load("a.json", b'{"a": 1, # one\n "b": [1, 2,],}')[0].tree
    assert tree == {"a": 1, "b": [1, 2]}


def test_json_keeps_a_number_too_long_to_count_as_text():
    assert read_json('{"a": ' + "9" * 50 + "}") == {"a": "9" * 50}


def test_toml_dates_become_text():
    assert read_toml("a = 2026-11-30\nb = 1_000") == {"a": "2026-11-30", "b": 1000}


def test_references_are_followed_and_all_others_are_unreadable():
    tree = {
        "a": {"b": 5, "c": "${.b}", "d": "${a.c}"},
        "missing": "???",
        "environment": "${oc.env:HOME}",
        "nowhere": "${x.y}",
        "circle": "${circle}",
        "part": "run_${a.b}",
    }
    found = resolve_references(tree)
    assert found["a"] == {"b": 5, "c": 5, "d": 5}
    assert [found[k] for k in ("missing", "environment", "nowhere", "circle")] == [OPAQUE] * 4
    assert found["part"] == "run_${a.b}"
