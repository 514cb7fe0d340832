"""Simple enough to hold in one head."""

import ast
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("path", PYTHON, ids=relative)
def test_a_file_has_at_most_400_lines_and_its_functions_40(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    long = [
        f"{node.name} ({lines})"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := body_lines(node)) > 40
    ]
    assert not long


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body without its docstring: explaining is free."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return 0 if not body else (body[-1].end_lineno or 0) - body[0].lineno + 1


@pytest.mark.parametrize("path", TEMPLATES, ids=relative)
def test_a_template_has_at_most_120_lines_and_a_partial_60(path):
    limit = 60 if "partials" in path.parts else 120
    assert len(path.read_text(encoding="utf-8").splitlines()) <= limit
