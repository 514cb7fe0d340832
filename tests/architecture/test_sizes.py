"""Simple enough to hold in one head."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = [
    path
    for folder in ("apps", "config", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "migrations" not in path.parts
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_a_file_has_at_most_400_lines_and_its_functions_40():
    assert len(PYTHON) > 500
    assert [flaw for path in PYTHON for flaw in too_long(path)] == []


def too_long(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    count = len(text.splitlines())
    if count > 400:
        yield f"{relative(path)}: {count} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > 40:
            yield f"{relative(path)}: {node.name}, {body_lines(node)} lines"


def test_what_is_too_long_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "a.py").write_text("def f():\n" + "    x = 1\n" * 41 + "\n" * 400)
    assert list(too_long(tmp_path / "a.py")) == ["a.py: 442 lines", "a.py: f, 41 lines"]


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body without its docstring: explaining is free."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return 0 if not body else (body[-1].end_lineno or 0) - body[0].lineno + 1


def test_a_template_has_at_most_120_lines_and_a_partial_60():
    assert len(TEMPLATES) > 100
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in TEMPLATES}
    limits = {path: 60 if "partials" in path.parts else 120 for path in TEMPLATES}
    long = {path: length for path, length in lengths.items() if length > limits[path]}
    assert {relative(path): length for path, length in long.items()} == {}
