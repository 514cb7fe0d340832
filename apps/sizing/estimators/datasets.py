"""The dataset: how much of it lies on disk and how fast it must come in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.sizing.ranges import Range
from apps.sizing.task import Data
from apps.sizing.units import GB, MIB, SECONDS_PER_HOUR

# Numbers of two bytes name so many tokens.
_SMALL_VOCABULARY: Final = 65_536


def dataset_bytes(data: Data, constants: Mapping[str, Range]) -> Range | None:
    """The active set: as stated, else from samples, else from tokens; None when nothing is known."""
    if data.bytes is not None:
        return Range.exact(data.bytes)
    if data.samples is not None and data.bytes_per_sample is not None:
        return Range.exact(data.samples * data.bytes_per_sample)
    if data.tokens is not None:
        return constants["storage.bytes_raw_text_per_token"] * data.tokens
    return None


def tokenised_bytes(data: Data, vocab: int | None, constants: Mapping[str, Range]) -> Range | None:
    """Tokenised text on disk: two bytes a token for a vocabulary under 65 536, else four."""
    if data.tokens is None:
        return None
    if vocab is None:
        return constants["storage.bytes_per_token_stored"] * data.tokens
    return Range.exact((2 if vocab <= _SMALL_VOCABULARY else 4) * data.tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetVolume:
    """GB by part; their sum is what the data volume must hold. `reserve_gb` keeps it from filling.

    `raw_gb` is the set once, `unpacked_gb` what it is unpacked to (nought where nobody says),
    `copy_gb` the second copy of what training reads, that is being rebuilt.
    """

    raw_gb: Range
    unpacked_gb: Range
    copy_gb: Range
    intermediate_gb: Range
    tokens_gb: Range
    reserve_gb: Range

    @property
    def total_gb(self) -> Range:
        held = self.raw_gb + self.unpacked_gb + self.copy_gb + self.intermediate_gb
        return held + self.tokens_gb + self.reserve_gb


def dataset_volume(
    data: Data, vocab: int | None, constants: Mapping[str, Range]
) -> DatasetVolume | None:
    """The raw set, the unpacked one, one to two copies of what is active, intermediate files and
    room to breathe. A set that is made anew between epochs takes its second copy for certain."""
    size = dataset_bytes(data, constants)
    if size is None:
        return None
    raw = size / GB
    copies = constants["storage.dataset_copies"]
    if data.regenerated:
        copies = Range.exact(copies.high)
    unpacked = Range.exact((data.unpacked_bytes or 0.0) / GB)
    active = unpacked if data.unpacked_bytes else raw
    second = active * Range(copies.low - 1, copies.typical - 1, copies.high - 1)
    intermediate = _intermediate_gb(data, active, constants)
    tokens = tokenised_bytes(data, vocab, constants)
    tokens_gb = tokens / GB if tokens else Range.exact(0)
    held = raw + unpacked + second + intermediate + tokens_gb
    return DatasetVolume(
        raw_gb=raw,
        unpacked_gb=unpacked,
        copy_gb=second,
        intermediate_gb=intermediate,
        tokens_gb=tokens_gb,
        reserve_gb=reserve_gb(held, constants),
    )


def reserve_gb(held_gb: Range, constants: Mapping[str, Range]) -> Range:
    """Free room so that a volume is never filled beyond the share it stays fast at."""
    fill = constants["storage.fill_share"]
    return Range(
        held_gb.low * (1 / fill.high - 1),
        held_gb.typical * (1 / fill.typical - 1),
        held_gb.high * (1 / fill.low - 1),
    )


def _intermediate_gb(data: Data, active_gb: Range, constants: Mapping[str, Range]) -> Range:
    """As stated, else a share of the active set by how it is prepared."""
    if data.intermediate_bytes is not None:
        return Range.exact(data.intermediate_bytes / GB)
    return active_gb * _intermediate_ratio(data, constants)


def _intermediate_ratio(data: Data, constants: Mapping[str, Range]) -> Range:
    if data.preprocessing is not None:
        return constants[f"storage.intermediate_ratio_{data.preprocessing}"]
    light, heavy = (constants[f"storage.intermediate_ratio_{k}"] for k in ("light", "heavy"))
    return Range(light.low, constants["storage.intermediate_ratio_medium"].typical, heavy.typical)


def read_gb_per_s(gpus: int, samples_per_s: float, bytes_per_sample: float) -> float:
    """Rate at which `gpus` eat samples, GB/s, without headroom."""
    return gpus * samples_per_s * bytes_per_sample / GB


def read_rate(data: Data, gpus: int, constants: Mapping[str, Range]) -> Range:
    """Read rate of `gpus` GPUs, GB/s with headroom, by what kind of data they eat.

    Text needs next to nothing; images, video and volumes are what disks are bought for. An
    unknown kind spans text to images.
    """
    if data.kind is None:
        text, images = (constants[f"storage.read_per_gpu_{k}"] for k in ("text", "images"))
        per_gpu = Range(text.low, text.high, images.high)
    else:
        per_gpu = constants[f"storage.read_per_gpu_{data.kind}"]
    return per_gpu * gpus * constants["storage.read_headroom"]


def deadline_read_rate(size_bytes: Range, epochs: float, target_hours: float) -> Range:
    """Rate at which the whole set passes `epochs` times within the time given, GB/s."""
    return size_bytes * (epochs / (target_hours * SECONDS_PER_HOUR * GB))


def reads_per_s(read: Range, data: Data, constants: Mapping[str, Range]) -> Range | None:
    """Samples opened a second; None when their size is not known.

    Without a stated size an image is taken as an ImageNet one.
    """
    size = sample_bytes(data, constants)
    return read * (GB / size) if size else None


def sample_bytes(data: Data, constants: Mapping[str, Range]) -> float | None:
    """Mean bytes of one sample file."""
    if data.bytes_per_sample:
        return data.bytes_per_sample
    if data.bytes and data.files:
        return data.bytes / data.files
    if data.kind == "images":
        return constants["storage.bytes_imagenet_jpeg"].typical
    return None


def tokenise_s(size_bytes: float, mib_per_s_per_thread: float, threads: int) -> float:
    """Seconds to tokenise a text once, offline."""
    return size_bytes / (mib_per_s_per_thread * threads * MIB)
