"""From the bytes of an upload to a `Document`, or a `ConfigError` that says what is wrong.

The name decides the notation where it tells one; otherwise the text does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final

from django.utils.translation import gettext as _

from apps.configs.commands import documents_of_script
from apps.configs.document import Document, Notation
from apps.configs.errors import ConfigError
from apps.configs.limits import MAX_BYTES, MAX_SCRIPT_BYTES, too_large
from apps.configs.readers.json_reader import read_json
from apps.configs.readers.python_reader import PythonScript, read_python
from apps.configs.readers.toml_reader import read_toml
from apps.configs.readers.yaml_reader import read_yaml
from apps.configs.references import resolve_references

_NOTATIONS: Final[dict[str, Notation]] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".toml": "toml",
    ".sh": "shell",
    ".bash": "shell",
    ".zsh": "shell",
    ".slurm": "shell",
    ".sbatch": "shell",
    ".py": "python",
}
_TABLE: Final = re.compile(r"^[ \t]*\[{1,2}[\w.\"-]+\]{1,2}\s*(#.*)?$", re.MULTILINE)
_ASSIGNMENT: Final = re.compile(r"^[ \t]*[\w.-]+[ \t]*=[ \t]*\S", re.MULTILINE)
_IMPORT: Final = re.compile(r"^(?:from\s+[\w.]+\s+import\s|import\s+\w)", re.MULTILINE)
_FLAG: Final = re.compile(r"(?:^|\s)--?[A-Za-z][\w.-]*(?:[ =]|\s*$)", re.MULTILINE)
_LEAST_KEYS: Final = 3
_FEW_CALLS: Final = 2
_MOST_HELD: Final = 8
_KEY: Final = re.compile(r"^[\w.\"' -]+:(?:\s|$)", re.MULTILINE)


def load(name: str, data: bytes) -> tuple[Document, ...]:
    """The documents of one file: mostly one; a script may hold several commands, best first.

    Raises:
        ConfigError: whatever is wrong with the file; nothing else is raised.
    """
    if len(data) > MAX_BYTES:
        raise too_large()
    text = _text(data)
    suffix = PurePath(name).suffix.lower()
    if suffix == ".ipynb":
        found = _python(_cells(text))
    else:
        found = _READERS[_NOTATIONS.get(suffix) or _guessed(text)](text)
    return tuple(replace(document, name=name) for document in found)


def _text(data: bytes) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ConfigError("not-text", _("The file is not text in UTF-8."))
    if not text.strip():
        raise ConfigError("bad-syntax", _("The file is empty."))
    return text


def _guessed(text: str) -> Notation:
    start = text.lstrip()
    if start.startswith("{"):
        return "json"
    if start.startswith("#!") and "python" not in start[:60]:
        return "shell"
    if _IMPORT.search(text):
        return "python"
    keys = len(_KEY.findall(text))
    flags = len(_FLAG.findall(text))
    if flags >= 2 and flags > keys:
        return "shell"
    tables = bool(_TABLE.search(text))
    return "toml" if tables or len(_ASSIGNMENT.findall(text)) > keys else "yaml"


def _yaml(text: str) -> tuple[Document, ...]:
    tree, repeated = read_yaml(text)
    return (_tree_document("yaml", tree, text, repeated),)


def _json(text: str) -> tuple[Document, ...]:
    try:
        return (_tree_document("json", read_json(text), ""),)
    except ConfigError as problem:
        if problem.code != "bad-syntax":
            raise
        refused = problem
    try:  # comments and a comma after the last item: not JSON, but a YAML flow mapping
        tree, repeated = read_yaml(text)
    except ConfigError:
        raise refused from None
    return (_tree_document("json", tree, text, repeated),)


def _toml(text: str) -> tuple[Document, ...]:
    return (_tree_document("toml", read_toml(text), text),)


def _tree_document(
    notation: Notation, tree: Any, text: str, repeated: tuple[str, ...] = ()
) -> Document:
    if not isinstance(tree, Mapping):
        raise ConfigError("unknown-format", _("The file holds no keys with values."))
    resolved = resolve_references(tree) if "${" in text or "???" in text else tree
    return Document(notation=notation, tree=resolved, repeated=repeated, comments=text)


def _shell(text: str) -> tuple[Document, ...]:
    _check_script(text)
    found = documents_of_script(text)
    if not found:
        raise ConfigError("unknown-format", _("The script starts nothing with options."))
    return found


def _python(text: str) -> tuple[Document, ...]:
    _check_script(text)
    script = read_python(text)
    tree = script.parameters | script.constants | script.options
    own = Document(notation="python", tree=tree, comments=text, calls=tuple(script.calls))
    started = [d for shell in script.texts for d in documents_of_script(shell)]
    return (own, *started, *_written_out(script))


def _written_out(script: PythonScript) -> list[Document]:
    """A file that only assigns is settings in Python's notation; so is a mapping that it holds."""
    values = script.constants
    held = [v for v in values.values() if isinstance(v, dict) and len(v) >= _LEAST_KEYS]
    plain = [values] if len(script.calls) <= _FEW_CALLS else []
    return [Document(notation="json", tree=tree) for tree in [*plain, *held[:_MOST_HELD]]]


def _check_script(text: str) -> None:
    if len(text.encode()) > MAX_SCRIPT_BYTES:
        raise too_large()


def _cells(text: str) -> str:
    """The code of a notebook without its shell and magic lines."""
    notebook = read_json(text)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    lines: list[str] = []
    for cell in cells if isinstance(cells, list) else []:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source", "")
            parts = source if isinstance(source, list) else [source]
            code = "".join(part for part in parts if isinstance(part, str))
            lines.extend(_without_magic(code))
    return "\n".join(lines)


def _without_magic(code: str) -> list[str]:
    if code.lstrip().startswith("%%"):
        return []
    return [
        "pass" if line.lstrip().startswith(("%", "!")) and not line[:1].isspace() else line
        for line in code.splitlines()
        if not (line.lstrip().startswith(("%", "!")) and line[:1].isspace())
    ]


_READERS: Final[dict[Notation, Callable[[str], tuple[Document, ...]]]] = {
    "yaml": _yaml,
    "json": _json,
    "toml": _toml,
    "shell": _shell,
    "python": _python,
}
