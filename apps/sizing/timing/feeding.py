"""Whether the data arrives in time: reading and preparing a step's samples in one node."""

from __future__ import annotations

from apps.sizing.cases import Case
from apps.sizing.task import Data
from apps.sizing.units import GB

_TOKEN_BYTES = 4.0


def data_wait_s(case: Case, data: Data, step_s: float) -> float:
    """Seconds a step waits for its data: loaders work beside the step and overlap it."""
    return max(0.0, _data_s(case, data) - step_s)


def _data_s(case: Case, data: Data) -> float:
    """Seconds a node needs to read and prepare the samples of one step."""
    layout, constants = case.layout, case.constants
    in_node = layout.gpus_per_node / (layout.tensor * layout.pipeline * layout.context)
    replicas = min(float(layout.data), max(1.0, in_node))
    samples = case.samples * case.accumulation * replicas
    location = data.location or "local"
    read = samples * _sample_bytes(case, data) / (constants[f"data.read.{location}"] * GB)
    if data.prepared_per_s is not None:
        return max(read, samples / data.prepared_per_s)
    kind = data.kind or ("images" if case.shape.sample is not None else "text")
    if kind == "text":
        return read
    cores = constants["data.cores_per_gpu"] * layout.gpus_per_node
    rate = constants[f"data.prepare.{data.preprocessing or 'medium'}"]
    weight = constants["data.video_frames"] if kind == "video" else 1.0
    return max(read, samples * weight / (rate * cores))


def _sample_bytes(case: Case, data: Data) -> float:
    if data.bytes_per_sample is not None:
        return data.bytes_per_sample
    if data.bytes is not None and data.samples:
        return data.bytes / data.samples
    if case.shape.sample is not None:
        return case.constants["data.image_bytes"]
    return case.sequence * case.padding * _TOKEN_BYTES
