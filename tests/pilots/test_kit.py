"""The kit: its settings are read back to the same recipe, its probe compiles and counts right."""

import io
import itertools
import json
import math
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from apps.configs.importer import combine, read_config
from apps.pilots.kit import kit_of, settings_of
from apps.pilots.kit_files import probe
from tests.pilots.test_records import FACTS

CASES = list(
    itertools.product(
        ("full", "lora", "qlora", "dora"),
        ("bf16-mixed", "fp16-mixed", "bf16-pure"),
        ("adamw", "adamw-8bit", "adafactor", "sgd", "lion"),
        ("none", "ddp", "zero1", "zero2", "zero3", "fsdp", "hsdp"),
    )
)


def facts(method: str, precision: str, optimizer: str, layout: str) -> dict[str, Any]:
    given = FACTS["workload"]["parameters"] | {
        "method": method,
        "precision": precision,
        "optimizer": optimizer,
        "quantization": "nf4" if method == "qlora" else "none",
        "lora_rank": None if method == "full" else 16,
        "activation_checkpointing": "full" if layout == "fsdp" else "none",
    }
    place = FACTS["place"] | {"layout": layout, "gpus": 1 if layout == "none" else 4}
    rows = FACTS["by_gpus"][:1] if layout == "none" else FACTS["by_gpus"]
    workload = FACTS["workload"] | {"parameters": given}
    return FACTS | {"workload": workload, "place": place, "by_gpus": rows}


def files(given: dict[str, Any]) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(kit_of(given)))
    return {name.removeprefix("pilot/"): archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_the_configuration_reads_back_to_the_recipe(case: tuple[str, str, str, str]) -> None:
    given = facts(*case)
    packed = {"run.json": json.dumps(settings_of(given)).encode()}
    if case[3].startswith("zero"):
        packed = files(given)
    parts = [read_config(n, packed[n]) for n in ("run.json", "deepspeed.json") if n in packed]
    found = {k: f.value for k, f in (combine(parts) if len(parts) > 1 else parts[0]).fields.items()}
    wanted = {k: v for k, v in given["workload"]["parameters"].items() if v is not None}
    for name in wanted.keys() - {"stage", "quantization"}:
        assert found.get(name) == wanted[name], name
    if case[0] == "qlora":
        assert found["quantization"] == "nf4"
    if case[3] not in ("none", "ddp"):
        assert found["data_parallel"] == case[3]


def test_every_count_has_its_command() -> None:
    text = files(FACTS)["launch.sh"].decode()
    counts = [f"--nproc_per_node={n} " in text for n in (1, 2, 4)]
    assert all(counts)
    several = FACTS | {"place": FACTS["place"] | {"nodes": 2}}
    assert "--nnodes=2 --nproc_per_node=2" in files(several)["launch.sh"].decode()


def test_the_kit_uses_no_network_and_compiles() -> None:
    for name, text in files(FACTS).items():
        if name.endswith(".py"):
            compile(text, name, "exec")
            assert not any(w in text.decode() for w in ("urllib", "requests", "http", "socket"))


def test_both_languages_tell_how_to_run_it() -> None:
    packed = files(FACTS)
    assert FACTS["workload_sha256"] in packed["README.en.md"].decode()
    russian = packed["README.ru.md"].decode()
    assert "probe.py --dry-run" in russian
    heads = [line for line in russian.splitlines() if line.startswith("#")]
    assert len(heads) == 3
    assert all(re.search("[а-я]", head) for head in heads)


def test_the_probe_plans_what_the_files_say() -> None:
    packed = files(FACTS)
    plan = probe.settled(
        json.loads(packed["run.json"]), json.loads(packed["pilot.json"]), dry=False
    )
    assert (plan["length"], plan["micro_batch"], plan["accumulation"]) == (2048, 2, 8)
    assert (plan["rank"], plan["half"], plan["recompute"], plan["layout"]) == (
        16,
        "bf16",
        True,
        "fsdp",
    )
    assert (plan["warmup"], plan["measured"]) == (20, 50)
    assert probe.settled({}, {}, dry=True)["shape"]["layers"] == 2
    with pytest.raises(SystemExit):
        probe.settled({}, {"shape": {}, "steps": {"warmup": 0, "measured": 5}}, dry=False)


def test_the_warm_up_is_left_out() -> None:
    assert probe.after_warmup([90.0, 50.0, 2.0, 4.0], 2) == 3.0
    with pytest.raises(SystemExit):
        probe.after_warmup([1.0, 2.0], 2)


def test_the_widest_run_speaks_for_the_whole_record() -> None:
    one = {"place.gpus": 1, "runs.1.step_s": 4.0, "memory.allocated_gib": 60.0}
    four = {"place.gpus": 4, "runs.4.step_s": 4.4, "memory.allocated_gib": 25.0}
    for order in ((one, four), (four, one)):
        first = probe.merged({}, order[0], order[0]["place.gpus"])
        whole = probe.merged(first, order[1], order[1]["place.gpus"])
        assert whole == {**four, "runs.1.step_s": 4.0}


def test_a_record_never_holds_what_json_has_no_word_for() -> None:
    text = probe.record({"time.run_s": math.nan, "memory.allocated_gib": 1.5, "model": "x"})
    assert json.loads(text)["values"] == {"memory.allocated_gib": 1.5, "model": "x"}


def run_probe(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As an engineer starts it, on an interpreter without a package."""
    return subprocess.run(
        [sys.executable, "-S", "-I", "probe.py", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_the_probe_says_what_is_missing_and_fails(tmp_path: Path) -> None:
    packed = files(FACTS)
    (tmp_path / "probe.py").write_bytes(packed["probe.py"])
    for name, missing in (("run.json", "run.json"), ("pilot.json", "pilot.json"), ("", "torch")):
        done = run_probe(tmp_path, "--dry-run")
        assert done.returncode == 1
        assert done.stderr.startswith(missing)
        assert "Traceback" not in done.stderr
        if name:
            (tmp_path / name).write_bytes(packed[name])
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    assert run_probe(tmp_path).stderr.startswith("run.json is no JSON")
    assert not list(tmp_path.glob("*result.json"))
