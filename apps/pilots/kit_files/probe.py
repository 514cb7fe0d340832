"""Measure a training run by the protocol of a pilot, and write pilot-result.json.

    torchrun --standalone --nproc_per_node=2 probe.py --settings run.json --pilot pilot.json
    python probe.py --dry-run                  # a tiny model on the processor, a few seconds

Needs Python 3.10, torch and probe_model.py beside it; reads and writes this folder only, no network. Without
--workload it trains a decoder of the right shape on random tokens: memory, step, exchange and
checkpoints are those of the real shape, quality and the feed of data are not. A file given by
--workload brings your own model and data: it has a function `build(settings, device)` that returns
`(model, batches, loss)`: a module, an endless iterator of batches on the processor, and a function
of the model and a batch that returns the loss.
"""

import argparse
import contextlib
import importlib
import importlib.util
import itertools
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SCHEMA = "podbor.pilot/1"
RESULT = Path("pilot-result.json")
CHECKPOINT = Path("probe-checkpoint")
GIB = 2**30
TINY = {
    "layers": 2,
    "hidden": 32,
    "heads": 4,
    "kv_heads": 2,
    "head_dim": 8,
    "ffn": 64,
    "vocab": 128,
}


# what needs no torch ------------------------------------------------------------------------------


def settled(settings: dict[str, Any], pilot: dict[str, Any], *, dry: bool) -> dict[str, Any]:
    """Everything the run needs, from the two files; a dry run is the same in miniature."""
    steps = pilot.get("steps", {"warmup": 2, "measured": 4})
    shape = dict(TINY if dry else pilot["shape"])
    plan: dict[str, Any] = {
        "shape": shape,
        "length": int(settings.get("max_length") or 512),
        "micro_batch": int(settings.get("per_device_train_batch_size") or 1),
        "accumulation": int(settings.get("gradient_accumulation_steps") or 1),
        "rank": int(settings.get("lora_r") or 0) if settings.get("use_peft") else 0,
        "recompute": bool(settings.get("gradient_checkpointing")),
        "half": "bf16" if settings.get("bf16") else "fp16" if settings.get("fp16") else "",
        "layout": str(pilot.get("layout", "ddp")),
        "quantised": bool(settings.get("load_in_4bit") or settings.get("load_in_8bit")),
        "warmup": int(steps["warmup"]),
        "measured": int(steps["measured"]),
    }
    if dry:
        plan |= {"length": 16, "micro_batch": 1, "accumulation": 1, "warmup": 2, "measured": 4}
        plan |= {"half": "", "quantised": False, "rank": min(plan["rank"], 4)}
    if plan["warmup"] < 1:
        raise SystemExit("a pilot has a warm-up of at least one step")
    return plan


def after_warmup(times_s: list[float], warmup: int) -> float:
    """The mean time of a step once the first `warmup` are left out."""
    kept = times_s[warmup:]
    if not kept:
        raise SystemExit("no step was measured after the warm-up")
    return statistics.fmean(kept)


def merged(before: dict[str, Any], values: dict[str, Any], gpus: int) -> dict[str, Any]:
    """Values of several counts of GPUs in one record: the widest run speaks for the whole."""
    widest = int(before.get("place.gpus") or 0)
    if gpus >= widest:
        kept = {k: v for k, v in before.items() if k.startswith(("runs.", "quality.", "added."))}
        return {**kept, **values}
    return {**before, **{k: v for k, v in values.items() if k.startswith("runs.")}}


def record(values: dict[str, Any]) -> str:
    """The file; a figure that is no finite number is left out rather than written."""
    finite = {
        k: v for k, v in values.items() if not (isinstance(v, float) and not math.isfinite(v))
    }
    document = {"schema": SCHEMA, "values": finite}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)


def read_json(path: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError:
        raise SystemExit(f"{path} is not here: run the probe in the folder of the kit") from None
    except ValueError as error:
        raise SystemExit(f"{path} is no JSON: {error}") from None
    return found


def needed(name: str) -> Any:
    """A package that the probe cannot do without."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SystemExit(
            f"{name} cannot be imported by {sys.executable} ({error}). Nothing was measured: install"
            " the versions of your training environment and start again"
        ) from None


def smi(query: str) -> list[str]:
    """One line a card from nvidia-smi; nothing where there is none."""
    command = ["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command
            command, capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.strip().splitlines()


# the run ------------------------------------------------------------------------------------------


def own_workload(path: str, settings: dict[str, Any], device: Any) -> tuple[Any, Any, Any, Any]:
    """What the file at `path` builds."""
    spec = importlib.util.spec_from_file_location("own_workload", path)
    if spec is None or spec.loader is None or not Path(path).is_file():
        raise SystemExit(f"{path} is no Python file that can be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "build"):
        raise SystemExit(f"{path} has no build(settings, device)")
    return (*module.build(settings, device), None)


class Run:
    """One process of the run: its model, optimizer and timings."""

    def __init__(self, torch: Any, plan: dict[str, Any], workload: Any, device: Any) -> None:
        self.torch, self.plan, self.device = torch, plan, device
        model, self.batches, self.loss_of, layer = workload
        self.model = self._spread(model.to(device), layer)
        trained = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(trained, lr=1e-5)
        half = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(plan["half"])
        self.cast: Any = contextlib.nullcontext
        if half is not None:
            self.cast = lambda: torch.autocast(device.type, dtype=half)
        self.step = 0
        self.losses: list[float] = []

    def _spread(self, model: Any, layer: Any) -> Any:
        """Copies of the model, or a model cut over the GPUs."""
        if int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return model
        if self.plan["layout"] in ("fsdp", "hsdp", "zero2", "zero3"):
            fsdp = importlib.import_module("torch.distributed.fsdp")
            wrap = importlib.import_module("torch.distributed.fsdp.wrap")
            whole = "SHARD_GRAD_OP" if self.plan["layout"] == "zero2" else "FULL_SHARD"
            policy = wrap.ModuleWrapPolicy({layer}) if layer else None
            return fsdp.FullyShardedDataParallel(
                model,
                auto_wrap_policy=policy,
                sharding_strategy=fsdp.ShardingStrategy[whole],
                use_orig_params=True,
            )
        return self.torch.nn.parallel.DistributedDataParallel(model)

    def wait(self) -> None:
        if self.device.type == "cuda":
            self.torch.cuda.synchronize()

    def train_step(self) -> tuple[float, float]:
        """Seconds of one step of the optimizer, and those of them spent waiting for data."""
        self.wait()
        began, waited = time.perf_counter(), 0.0
        for _ in range(self.plan["accumulation"]):
            asked = time.perf_counter()
            batch = next(self.batches)
            waited += time.perf_counter() - asked
            with self.cast():
                loss = self.loss_of(self.model, batch.to(self.device))
            (loss / self.plan["accumulation"]).backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.wait()
        self.step += 1
        self.losses.append(float(loss.detach()))
        return time.perf_counter() - began, waited

    def checkpoint(self) -> dict[str, Any]:
        """Save, spoil, restore: seconds, and whether step and optimizer go on where they were."""
        torch, rank = self.torch, os.environ.get("RANK", "0")
        CHECKPOINT.mkdir(exist_ok=True)
        path = CHECKPOINT / f"rank-{rank}.pt"
        began = time.perf_counter()
        state = {"step": self.step, "model": self._own(), "optimizer": self.optimizer.state_dict()}
        torch.save(state, path)
        saved_s = time.perf_counter() - began
        kept = self._moments()
        step, self.step = self.step, -1
        for value in self.optimizer.state.values():
            value["exp_avg"].zero_()
        began = time.perf_counter()
        found = torch.load(path, map_location="cpu", weights_only=True)
        with torch.no_grad():
            for name, tensor in self._own().items():
                tensor.copy_(found["model"][name])
        self.optimizer.load_state_dict(found["optimizer"])
        self.step = int(found["step"])
        restored_s = time.perf_counter() - began
        path.unlink()
        return {
            "checkpoint.save_s": saved_s,
            "checkpoint.restore_s": restored_s,
            "checkpoint.restored": True,
            "checkpoint.step_goes_on": self.step == step,
            "checkpoint.optimizer_goes_on": math.isclose(kept, self._moments(), rel_tol=1e-5),
        }

    def _own(self) -> dict[str, Any]:
        """What this process holds of the trained parameters: its part of a model that is cut."""
        return {n: p.detach() for n, p in self.model.named_parameters() if p.requires_grad}

    def _moments(self) -> float:
        return sum(float(v["exp_avg"].abs().sum()) for v in self.optimizer.state.values())


def measure(torch: Any, plan: dict[str, Any], workload: Any, device: Any) -> dict[str, Any]:
    """The figures of one count of GPUs, by path of the record."""
    gpus = int(os.environ.get("WORLD_SIZE", "1"))
    began, cuda = time.perf_counter(), device.type == "cuda"
    run = Run(torch, plan, workload, device)
    if cuda:
        torch.cuda.reset_peak_memory_stats()
    timed = [run.train_step() for _ in range(plan["warmup"] + plan["measured"])]
    step_s = after_warmup([whole for whole, _waited in timed], plan["warmup"])
    waited_s = after_warmup([waited for _whole, waited in timed], plan["warmup"])
    values: dict[str, Any] = {
        f"runs.{gpus}.step_s": step_s,
        "feed.wait_ratio": min(1.0, waited_s / step_s),
        "stability.losses_finite": all(math.isfinite(loss) for loss in run.losses),
        "steps.warmup": plan["warmup"],
        "steps.measured": plan["measured"],
    }
    if cuda:
        values |= card_figures(torch)
    samples = 8
    asked = time.perf_counter()
    for _batch in itertools.islice(run.batches, samples):
        pass
    alone_s = max(time.perf_counter() - asked, 1e-9)
    values["feed.samples_per_s"] = min(1e9, samples * plan["micro_batch"] / alone_s)
    values |= run.checkpoint()
    values["time.run_s"] = time.perf_counter() - began
    return values


def card_figures(torch: Any) -> dict[str, Any]:
    """Memory of this process's card, its load and whether its clock was lowered."""
    used = [float(line) / 1024 for line in smi("memory.used")]
    load = [float(line) / 100 for line in smi("utilization.gpu")]
    slowed = smi("clocks_event_reasons.hw_slowdown")
    values: dict[str, Any] = {
        "memory.allocated_gib": torch.cuda.max_memory_allocated() / GIB,
        "memory.reserved_gib": torch.cuda.max_memory_reserved() / GIB,
    }
    if used:
        values["memory.device_gib"] = max(used)
    if load:
        values["stability.utilisation"] = min(1.0, statistics.fmean(load))
    if slowed:
        values["stability.no_throttling"] = all(line.strip() == "Not Active" for line in slowed)
    return values


def environment(torch: Any) -> dict[str, Any]:
    driver = smi("driver_version")
    found = {
        "versions.framework": f"torch {torch.__version__}, Python {platform.python_version()}",
        "versions.cuda": str(torch.version.cuda or ""),
        "versions.driver": driver[0].strip() if driver else "",
        "time.started_on": time.strftime("%Y-%m-%d"),
    }
    return {name: value for name, value in found.items() if value}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--settings", default="run.json")
    parser.add_argument("--pilot", default="pilot.json")
    parser.add_argument("--workload", default="", help="a file with build(settings, device)")
    parser.add_argument("--dry-run", action="store_true", help="a tiny model on the processor")
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    settings, pilot = read_json(asked.settings), read_json(asked.pilot)
    plan = settled(settings, pilot, dry=asked.dry_run)
    if plan["quantised"] and not asked.workload:
        raise SystemExit("a quantised base is measured with your own model: give --workload")
    torch = needed("torch")
    needed("torch.utils.checkpoint")
    cuda = torch.cuda.is_available() and not asked.dry_run
    device = (
        torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        if cuda
        else torch.device("cpu")
    )
    if cuda:
        torch.cuda.set_device(device)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        torch.distributed.init_process_group("nccl" if cuda else "gloo")
    torch.manual_seed(int(settings.get("seed") or 0))
    synthetic = importlib.import_module("probe_model").synthetic
    own = own_workload(asked.workload, settings, device) if asked.workload else None
    values = measure(torch, plan, own or synthetic(plan), device)
    if os.environ.get("RANK", "0") == "0":
        write(asked, torch, pilot, values)
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def write(asked: Any, torch: Any, pilot: dict[str, Any], values: dict[str, Any]) -> None:
    """Add what was measured to the result; a dry run has a file of its own."""
    gpus = int(os.environ.get("WORLD_SIZE", "1"))
    whole = {**pilot.get("workload", {}), **environment(torch), **values}
    whole |= {"place.gpus": gpus, "place.nodes": int(os.environ.get("GROUP_WORLD_SIZE", "1"))}
    whole["place.layout"] = "none" if gpus == 1 else str(pilot.get("layout", "ddp"))
    if torch.cuda.is_available():
        whole["place.accelerator"] = torch.cuda.get_device_name()
    if not asked.workload:
        whole["dataset"] = "random tokens of the probe"
    path = RESULT.with_name("dry-run-result.json") if asked.dry_run else RESULT
    before = read_json(str(path))["values"] if path.exists() else {}
    path.write_text(record(merged(before, whole, gpus)), encoding="utf-8")
    sys.stdout.write(f"{gpus} GPU: {path} is written\n")


if __name__ == "__main__":
    main()
