"""From the commands of a script to documents: which one trains, what belongs to its launcher."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from apps.configs.document import Document
from apps.configs.errors import ConfigError
from apps.configs.opaque import OPAQUE
from apps.configs.readers.json_reader import read_json
from apps.configs.readers.shell_expand import UNKNOWN
from apps.configs.readers.shell_reader import Command, Script, read_shell
from apps.configs.readers.yaml_reader import read_yaml
from apps.configs.scalars import resolve_scalar

_LAUNCHERS: Final = frozenset(
    [
        "torchrun",
        "accelerate",
        "deepspeed",
        "srun",
        "mpirun",
        "mpiexec",
        "horovodrun",
        "composer",
        "ray",
        "uv",
        "poetry",
        "conda",
        "env",
        "nohup",
        "timeout",
        "xargs",
        "colossalai",
        "numactl",
        "tune",
        "fabric",
    ]
)
_LAUNCHER_WORDS: Final = frozenset({"launch", "run", "job", "submit", "python", "python3"})
_LAUNCHER_MODULES: Final = re.compile(
    r"torch\.distributed|accelerate\.commands|deepspeed\.launcher"
)
_LONE_FLAGS: Final = frozenset(
    [
        "--standalone",
        "--multi_gpu",
        "--multi-gpu",
        "--use_fsdp",
        "--use_deepspeed",
        "--no_python",
        "--no-python",
        "--tpu",
        "--module",
        "-m",
        "-u",
        "-O",
        "--exclusive",
        "--no_local_rank",
        "--cpu",
        "--same_network",
        "--bind-to",
        "--unbuffered",
        "--use_megatron_lm",
        "--enable_cpu_affinity",
        "--debug",
    ]
)
_NEGATIVE: Final = re.compile(r"-\.?[0-9]")
_OVERRIDE: Final = re.compile(r"[+~]{0,2}([A-Za-z_][\w./@-]*)=(.*)", re.DOTALL)
_PYTHON: Final = re.compile(r"(?:.*/)?python[0-9.]*")
_FILES: Final = (".yaml", ".yml", ".toml")
COMPONENT: Final = "_component_"  # what a mapping of options is of
_MAX_NAME_PARTS: Final = 12
_MAX_DOCUMENTS: Final = 8
_TRAINS: Final = re.compile(
    r"batch|learning_rate|^lr$|epoch|max_steps|train_iters|seq|lora|finetuning|optim|zero_stage"
)
_DOES_NOT_TRAIN: Final = re.compile(
    r"infer|eval|export|deploy|merge|preprocess|download|convert|serve|tokeniz|rollout|prepare|\bpip\b"
)


def documents_of_script(text: str) -> tuple[Document, ...]:
    """The commands that have options, the one that most likely trains first.

    Here-documents that hold a configuration follow. Empty when the text starts nothing.

    Raises:
        ConfigError: `too-large`.
    """
    script = read_shell(text)
    found = [(_score(d), -at, d) for at, d in enumerate(_documents(script, text))]
    found = [entry for entry in found if entry[0] > 0]
    found.sort(key=lambda entry: entry[:2], reverse=True)
    commands = [document for _score_, _at, document in found[:_MAX_DOCUMENTS]]
    return (*commands, *_embedded(script))


def _documents(script: Script, text: str) -> list[Document]:
    known = _known_variables(script)
    return [_document(command, known, text) for command in script.commands]


def _known_variables(script: Script) -> dict[str, str]:
    values = script.variables.values
    return {k: v for k, v in values.items() if isinstance(v, str) and UNKNOWN not in v}


def _document(command: Command, known: Mapping[str, str], text: str) -> Document:
    program, launch, own = _split(command.words)
    tree, positional = parse_flags(own)
    flags, _rest = parse_flags(launch)
    return Document(
        notation="shell",
        tree=tree,
        program=(*program, *positional),
        launch=flags,
        environment={**known, **command.environment},
        comments=text,
    )


def _score(document: Document) -> int:
    names = list(document.tree)
    refers = any(word.lower().endswith(_FILES) for word in document.program)
    if not names and not document.launch and not refers:
        return 0
    score = len(names) + 5 * sum(bool(_TRAINS.search(name)) for name in names)
    if _DOES_NOT_TRAIN.search(" ".join(document.program[:4]).lower()):
        score //= 20
    return score + bool(document.launch) + refers


def _split(words: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """(program words, the launcher's options, the trained program's own words)."""
    program: list[str] = []
    launch: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--" or (UNKNOWN in word and not word.endswith(".py")):
            at += 1
        elif word in ("-m", "--module") and not (words[at + 1 :] or ["-"])[0].startswith("-"):
            program.append(words[at + 1])
            at += 2
            if not _LAUNCHER_MODULES.search(program[-1]):
                break
        elif word.startswith("-"):
            taken = _launch_option(words, at)
            launch.extend(words[at : at + taken])
            at += taken
        else:
            program.append(word.replace(UNKNOWN, ""))
            at += 1
            if not _is_launcher(word):
                break
    return program, launch, list(words[at:])


def _launch_option(words: Sequence[str], at: int) -> int:
    """How many words an option of a launcher takes."""
    following = words[at + 1] if at + 1 < len(words) else "-"
    alone = "=" in words[at] or words[at] in _LONE_FLAGS
    return 1 if alone or following.startswith("-") or following.endswith(".py") else 2


def _is_launcher(word: str) -> bool:
    name = word.rsplit("/", 1)[-1]
    return name in _LAUNCHERS or name in _LAUNCHER_WORDS or bool(_PYTHON.fullmatch(word))


def parse_flags(words: Sequence[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """(options by name, nested where a name has dots; words that belong to none).

    `--name value`, `--name=value`, `--name` alone (true), `--name a b` (a list) and `key=value`.
    Names lose their dashes and write `_` for `-`. The last of a repeated option counts.
    """
    tree: dict[str, Any] = {}
    positional: list[str] = []
    name, values = "", list[str]()
    for word in [*words, "--"]:
        if _is_flag(word):
            _finish(tree, name, values)
            name, _mark, first = word.partition("=")
            values = [first] if _mark else []
            continue
        override = _OVERRIDE.fullmatch(word)
        if override and (not name or values):
            _finish(tree, name, values)
            name, values = "", []
            _put(tree, override.group(1), [override.group(2)])
        elif name:
            values.append(word)
        else:
            positional.append(word)
    return tree, tuple(positional)


def _is_flag(word: str) -> bool:
    return word.startswith("-") and not _NEGATIVE.match(word)


def _finish(tree: dict[str, Any], name: str, values: list[str]) -> None:
    if name.strip("-"):
        _put(tree, name, values)


def _put(tree: dict[str, Any], name: str, values: list[str]) -> None:
    parts = name.lstrip("-").replace("-", "_").split(".")[:_MAX_NAME_PARTS]
    node = tree
    for part in parts[:-1]:
        inner = node.get(part)
        if not isinstance(inner, dict):
            # `optimizer=AdamW optimizer.lr=1e-5`: the first names what the second belongs to.
            inner = node[part] = {} if inner is None else {COMPONENT: inner}
        node = inner
    found = [OPAQUE if UNKNOWN in value else resolve_scalar(value) for value in values]
    value = True if not found else found[0] if len(found) == 1 else found
    held = node.get(parts[-1])
    if isinstance(held, dict):
        held[COMPONENT] = value
    else:
        node[parts[-1]] = value


def _embedded(script: Script) -> list[Document]:
    """Configurations that a script writes to a file before it starts."""
    found: list[Document] = []
    for body in script.documents[:_MAX_DOCUMENTS]:
        text = body.replace(UNKNOWN, "")
        try:
            tree = read_json(text) if text.lstrip().startswith("{") else read_yaml(text)[0]
        except ConfigError:
            continue
        if isinstance(tree, Mapping):
            notation: Any = "json" if text.lstrip().startswith("{") else "yaml"
            found.append(Document(notation=notation, tree=tree, comments=text))
    return found
