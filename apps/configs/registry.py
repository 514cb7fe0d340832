"""The formats in the order in which they are tried: sure signs first, borrowed names later."""

from __future__ import annotations

from typing import Final

from apps.configs.formats.accelerate import ACCELERATE
from apps.configs.formats.axolotl import AXOLOTL
from apps.configs.formats.deepspeed import DEEPSPEED
from apps.configs.formats.diffusers import DIFFUSERS
from apps.configs.formats.generic import GENERIC
from apps.configs.formats.hf_config import HF_CONFIG
from apps.configs.formats.image_tables import IMAGE_TABLES
from apps.configs.formats.kohya import KOHYA
from apps.configs.formats.launch_only import LAUNCH_ONLY
from apps.configs.formats.litgpt import LITGPT
from apps.configs.formats.llama_factory import LLAMA_FACTORY, LLAMA_FACTORY_V1
from apps.configs.formats.llm_foundry import LLM_FOUNDRY
from apps.configs.formats.megatron import MEGATRON
from apps.configs.formats.mmengine import MMENGINE
from apps.configs.formats.nanotron import NANOTRON
from apps.configs.formats.nemo import NEMO
from apps.configs.formats.peft_adapter import PEFT_ADAPTER
from apps.configs.formats.pl_trainer import LIGHTNING
from apps.configs.formats.pretraining_tables import GPT_NEOX, INTERNEVO, LINGUA, OLMO
from apps.configs.formats.rl import OPENRLHF, VERL
from apps.configs.formats.saiga import SAIGA
from apps.configs.formats.scripts import HF_SCRIPT, UNSLOTH
from apps.configs.formats.shared import Format
from apps.configs.formats.swift import SWIFT
from apps.configs.formats.torchtitan import TORCHTITAN
from apps.configs.formats.torchtune import TORCHTUNE
from apps.configs.formats.trl import HF_ARGUMENTS, TRL
from apps.configs.formats.tuning_tables import TUNING_TABLES
from apps.configs.formats.unsloth_studio import UNSLOTH_STUDIO
from apps.configs.formats.vision import TIMM, ULTRALYTICS
from apps.configs.formats.xtuner import XTUNER

FORMATS: Final[tuple[Format, ...]] = (
    PEFT_ADAPTER,
    *(table.as_format() for table in IMAGE_TABLES),
    HF_CONFIG,
    ACCELERATE,
    GPT_NEOX.as_format(),
    DEEPSPEED,
    TORCHTUNE,
    LAUNCH_ONLY,
    TORCHTITAN,
    NANOTRON,
    LITGPT,
    OLMO.as_format(),
    LINGUA.as_format(),
    LLM_FOUNDRY,
    VERL,
    OPENRLHF,
    *(table.as_format() for table in TUNING_TABLES),
    NEMO,
    LIGHTNING,
    SAIGA,
    SWIFT,
    LLAMA_FACTORY,
    LLAMA_FACTORY_V1,
    AXOLOTL,
    KOHYA,
    DIFFUSERS,
    MEGATRON,
    ULTRALYTICS,
    UNSLOTH,
    UNSLOTH_STUDIO,
    XTUNER,
    INTERNEVO.as_format(),
    MMENGINE,
    HF_SCRIPT,
    TRL,
    HF_ARGUMENTS,
    TIMM,
    GENERIC,
)
