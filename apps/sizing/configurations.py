"""Read a configuration as people write it: «8×H200, 2×8558, 16×64 ГБ».

Recognition is by the catalog's own names, not by patterns of part numbers. What is understood is
never confirmed by being understood: the supplier's document does that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from apps.sizing.estimators.host_memory import MODULE_GB
from apps.sizing.facts import Accelerator, Catalog, NetworkCard, Processor
from apps.sizing.messages import Message, Parameter

# A Latin x is a sign between a bare number and a thing, or between a thing and a number; the X of
# MI300X is neither.
_TIMES: Final = re.compile(
    r"[×хХ*✕]|(?<![^\s,;/])(?P<count>\d{1,6})\s*[xX]\s*(?=\S)|\s[xX]\s*(?=\d)"
    r"|(?<=\w)[xX](?=\d+\s*(?:шт\S*|pcs\S*)?\s*(?:$|[,;/]))"
)
_DECIMAL: Final = re.compile(r"(\d),(\d+)(?=\s*(?:тб|tb|гб|gb))", re.IGNORECASE)
_SPLIT: Final = re.compile(r"[,;\n/|]|\s\+\s")
_PIECES: Final = r"(?:шт\.?|штук[аи]?|pcs\.?|ea\.?)"
_COUNTED: Final = (
    re.compile(rf"^(?P<count>\d{{1,6}})\s*{_PIECES}?\s*×\s*(?P<thing>.+)$", re.IGNORECASE),
    re.compile(rf"^(?P<thing>.+?)\s*×\s*(?P<count>\d{{1,6}})\s*{_PIECES}?$", re.IGNORECASE),
    re.compile(rf"^(?P<count>\d{{1,6}})\s*{_PIECES}\s+(?P<thing>.+)$", re.IGNORECASE),
    re.compile(rf"^(?P<thing>.+?)[\s:–—-]+(?P<count>\d{{1,6}})\s*{_PIECES}$", re.IGNORECASE),
)
_BARE_COUNT: Final = re.compile(r"^(?P<count>\d{1,6})\s+(?P<thing>\D.*)$")
_MODULE: Final = re.compile(r"^(?P<gb>\d{1,6})\s*(?:гб|gb|гиб|gib)\b(?P<rest>.*)$", re.IGNORECASE)
_BARE_MODULE: Final = re.compile(r"^(?P<gb>\d{2,3})(?P<rest>)$")
_SPEED: Final = re.compile(
    r"ddr5\s*[-–]\s*(?P<printed>\d{4})\b|\b(?P<said>\d{4})\s*(?:mt/s|мт/с|mhz|мгц)", re.IGNORECASE
)
_DRIVE: Final = re.compile(r"тб|tb|nvme|ssd|hdd|u\.2|диск", re.IGNORECASE)
_RAM: Final = re.compile(
    r"^(?:ram|озу|память)?\s*(?P<size>\d{1,9}(?:\.\d{1,3})?)\s*(?P<unit>тб|tb|гб|gb)\s*(?:ram|озу|памяти)?$",
    re.IGNORECASE,
)
_RAM_WORD: Final = re.compile(r"ram|озу|памят", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-zа-я]+\d*[a-z]?\+?|\d+[a-z]*\+?", re.IGNORECASE)
_NOISE: Final = frozenset(
    {"nvidia", "amd", "gpu", "gb", "гб", "geforce", "instinct", "tensor", "core", "video", "карта"}
)
# What a word says about the form factor: a board is a board whatever its generation.
_FORM_WORDS: Final = {
    "sxm": "sxm",
    "sxm2": "sxm",
    "sxm4": "sxm",
    "sxm5": "sxm",
    "hgx": "sxm",
    "nvl": "nvl",
    "pcie": "pcie",
    "oam": "oam",
}
_LONGEST_PART: Final = 200
_CPU_NOISE: Final = frozenset(
    {"intel", "amd", "xeon", "platinum", "gold", "cpu", "процессор", "процессора", "scalable"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What a text says. `accelerators` are the catalog ids the GPU may mean: one when it is clear.

    `needs_confirmation` is always true: reading a text proves nothing about a delivery.
    """

    gpus: int | None = None
    gpu: str | None = None
    accelerators: tuple[str, ...] = ()
    cpus: int | None = None
    cpu: str | None = None
    dimms: int | None = None
    module_gb: int | None = None
    ram_gb: float | None = None
    module_mts: int | None = None
    nics: int | None = None
    nic: str | None = None
    drives: tuple[tuple[int, str], ...] = ()
    notes: tuple[Message, ...] = ()
    not_understood: tuple[str, ...] = ()
    needs_confirmation: bool = field(default=True, init=False)


def parse_configuration(text: str, catalog: Catalog, *, server: str | None = None) -> Configuration:
    """Read a configuration text.

    Args:
        text: parts in any order, `8×H200`, `H200 x 8`, `8 шт H200`; × may be x, х or *.
        server: a SKU; narrows a GPU name to what this server takes.
    """
    found = Configuration()
    plain = _DECIMAL.sub(r"\1.\2", text.replace("\u00a0", " "))
    prepared = _TIMES.sub(lambda match: f"{match['count'] or ''}×", plain)
    for part in _SPLIT.split(prepared):
        if part.strip():
            found = _with_part(found, part.strip(), catalog, server)
    return replace(found, notes=_notes(found, catalog))


def accelerators_named(text: str, catalog: Catalog) -> tuple[str, ...]:
    """Catalog ids of every accelerator whose name has all the words of `text`, in catalog order.

    A name without its form factor means several: «H200» is an SXM module or an NVL card.
    """
    words = [w.lower() for w in _WORD.findall(text)]
    words = [w for w in words if w not in _NOISE]
    forms = {_FORM_WORDS[w] for w in words if w in _FORM_WORDS}
    names = {_size(w) for w in words if w not in _FORM_WORDS}
    if not any(len(name) > 1 and any(c.isdigit() for c in name) for name in names):
        return ()
    return tuple(
        card.id
        for card in catalog.accelerators.values()
        if names <= _names_of(card) and (not forms or card.form_factor in forms)
    )


def _names_of(card: Accelerator) -> set[str]:
    words = {w.lower() for w in _WORD.findall(f"{card.id} {card.name}".replace("-", " "))}
    return {_size(w) for w in words}


def _size(word: str) -> str:
    """`141gb` is `141`."""
    return re.sub(r"^(\d+)(?:gb|гб)$", r"\1", word)


def _with_part(
    found: Configuration, part: str, catalog: Catalog, server: str | None
) -> Configuration:
    if len(part) <= _LONGEST_PART:
        for counted, count, thing in _readings(part):
            read = _with_memory(found, counted, count, thing) or _with_silicon(
                found, count, thing, catalog, server
            )
            if read is not None:
                return read
    return replace(found, not_understood=(*found.not_understood, part))


def _with_silicon(
    found: Configuration, count: int, thing: str, catalog: Catalog, server: str | None
) -> Configuration | None:
    """GPUs, processors or network cards; None when the thing is neither or already stands there."""
    ids = _accelerators(thing, catalog, server)
    if ids:
        if found.gpus is not None:
            return None
        return replace(found, gpus=count, gpu=thing, accelerators=ids)
    cpu = _processor(thing, catalog)
    if cpu is not None and found.cpu is None:
        return replace(found, cpus=count, cpu=cpu.id)
    nic = _network_card(thing, catalog)
    if nic is not None and found.nic is None:
        return replace(found, nics=count, nic=nic.id)
    return None


def _with_memory(
    found: Configuration, counted: bool, count: int, thing: str
) -> Configuration | None:
    """Modules, a whole amount of RAM, or drives; None when the part is none of them."""
    module = _MODULE.match(thing) or _bare_module(thing)
    if module and counted and not _DRIVE.search(module["rest"]):
        if found.dimms is not None:
            return None
        size = int(module["gb"])
        speed = _SPEED.search(module["rest"])
        return replace(
            found,
            dimms=count,
            module_gb=size,
            ram_gb=float(count * size),
            module_mts=int(speed["printed"] or speed["said"]) if speed else None,
        )
    whole = _RAM.match(thing)
    if whole and not counted and _RAM_WORD.search(thing) and found.ram_gb is None:
        scale = 1000 if whole["unit"].lower() in ("тб", "tb") else 1
        return replace(found, ram_gb=float(whole["size"]) * scale)
    if _DRIVE.search(thing):
        return replace(found, drives=(*found.drives, (count, thing)))
    return None


def _bare_module(thing: str) -> re.Match[str] | None:
    """A size that modules are made in, as part codes write it: the last part of `8×H200/…/16×64`."""
    bare = _BARE_MODULE.match(thing)
    return bare if bare and int(bare["gb"]) in MODULE_GB else None


def _readings(part: str) -> Iterator[tuple[bool, int, str]]:
    """Ways to read a part: whether a number of pieces stands there, the number, the thing."""
    for pattern in _COUNTED:
        match = pattern.match(part)
        if match:
            yield True, int(match["count"]), match["thing"].strip()
    yield False, 1, part
    bare = _BARE_COUNT.match(part)
    if bare:
        yield True, int(bare["count"]), bare["thing"].strip()


def _accelerators(thing: str, catalog: Catalog, server: str | None) -> tuple[str, ...]:
    ids = accelerators_named(thing, catalog)
    if server is not None and server in catalog.servers:
        taken = tuple(a for a in ids if a in catalog.servers[server].accelerators)
        return taken or ids
    return ids


def _processor(thing: str, catalog: Catalog) -> Processor | None:
    words = {w.lower() for w in re.findall(r"[\w+]+", thing)} - _CPU_NOISE - {"epyc"}
    for cpu in catalog.processors.values():
        own = {w.lower() for w in re.findall(r"[\w+]+", cpu.id)} - {"epyc"}
        if words and words == own:
            return cpu
    return None


def _network_card(thing: str, catalog: Catalog) -> NetworkCard | None:
    """A network card by its part number: a family's name means several, and so none."""
    words = {w.upper() for w in re.findall(r"[\w-]+", thing)}
    return next((nic for nic in catalog.network_cards.values() if nic.id.upper() in words), None)


def _notes(found: Configuration, catalog: Catalog) -> tuple[Message, ...]:
    notes = [Message("configuration.needs-confirmation")]
    if len(found.accelerators) > 1:
        forms = {catalog.accelerators[a].form_factor for a in found.accelerators}
        key = "ask-form-factor" if len(forms) > 1 else "ask-which"
        params: dict[str, Parameter] = {
            "name": found.gpu,
            "choices": ", ".join(found.accelerators),
        }
        notes.append(Message(f"configuration.{key}", params))
    if found.dimms is not None and found.ram_gb is not None:
        params = {"dimms": found.dimms, "module_gb": found.module_gb, "ram_gb": found.ram_gb}
        notes.append(Message("configuration.ram-total", params))
    notes += [Message("configuration.not-understood", {"text": t}) for t in found.not_understood]
    return tuple(notes)
