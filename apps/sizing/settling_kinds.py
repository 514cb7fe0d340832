"""What a recipe means when it does not say, for models other than those of language.

As `settling`: the stated value, else what is usual. What no field of a task can say has a usual
value too; `memory.kinds` has its other end.
"""

from __future__ import annotations

from typing import Any, Final

from apps.sizing.shapes import Shape
from apps.sizing.task import Recipe, Task

ONLINE_STAGES: Final = frozenset({"ppo", "grpo"})
# What the pace of reinforcement depends on most, and no task says: how long the answers are, how
# many there are to a prompt, what generates them and what judges them.
GENERATION_FACTS: Final = (
    "recipe.answer_length",
    "recipe.answers_per_prompt",
    "recipe.generation_engine",
    "recipe.reward_source",
)
ENCODERS: Final = frozenset({"encoder", "encoder-decoder"})
# Text encoders of so many parameters are run over the captions once before training: they would
# take as much of the card as the model. Source: diffusers' and kohya's scripts for SD3 and FLUX.
_CACHED_PARAMS: Final = 1.5e9
# Trainers that average the weights unless told not to: ultralytics, ModelEMA.
_AVERAGING: Final = frozenset({"ultralytics"})
# Trainers that train every part of a model of text and images unless told to freeze the tower;
# LLaMA-Factory and ms-swift freeze it, LLaVA's recipe does.
_TOWER_TRAINING: Final = frozenset({"hf-trainer", "trl", "accelerate"})
_TOWER_WORDS: Final = ("vision", "visual", "vit", "tower", "image")
# Of all parameters, as many as these are the tower's too when someone counts the trained ones.
_ALL_TRAINED: Final = 0.99
# Batches of all GPUs together that a trainer starts from: ultralytics' `batch=16`.
TOTAL_BATCHES: Final = {"ultralytics": 16.0}


def kind_fields(task: Task, method: str, shape: Shape) -> dict[str, Any]:
    """Fields of a case that only some kinds of models have."""
    return {
        "averaged": averaged_of(task, method, shape),
        "cached": shape.companions is not None
        and shape.companions.text_encoder_params > _CACHED_PARAMS,
        "tower_trained": tower_trained_of(task, method, shape),
        "predicts_tokens": predicts_tokens_of(task, shape),
        "engine_share": 0.0,
    }


def is_timed(task: Task) -> bool:
    """Whether a step can be timed: one that waits for generated answers cannot, unmeasured."""
    return task.recipe.stage not in ONLINE_STAGES


def averaged_of(task: Task, method: str, shape: Shape) -> bool:
    """Whether a moving average of the weights (EMA) is kept on the card."""
    if method != "full":
        return False
    if task.recipe.framework in _AVERAGING:
        return True
    return shape.kind == "diffusion" and task.strategy == "from-scratch"


def tower_trained_of(task: Task, method: str, shape: Shape) -> bool:
    """Whether gradients go through the image encoder of a model of text and images."""
    if shape.tower is None:
        return False
    recipe = task.recipe
    if _names_tower(recipe):
        return True
    if method != "full":
        return False
    stated = recipe.trainable_params_million
    if stated is not None:
        return stated * 1e6 > _ALL_TRAINED * shape.total_params
    return task.strategy == "from-scratch" or recipe.framework in _TOWER_TRAINING


def _names_tower(recipe: Recipe) -> bool:
    targets = recipe.lora_targets if isinstance(recipe.lora_targets, tuple) else ()
    named = (*targets, *(recipe.modules_to_save or ()))
    return any(word in name.lower() for name in named for word in _TOWER_WORDS)


def predicts_tokens_of(task: Task, shape: Shape) -> bool:
    """Whether the loss is over the vocabulary: not for reward models, nor for encoders that are
    tuned to classify or to embed."""
    stage = task.recipe.stage
    if stage == "rm":
        return False
    if shape.kind != "encoder":
        return True
    return stage == "pretrain" or (stage is None and task.strategy == "from-scratch")


def frozen_tower_share(shape: Shape, *, trained: bool) -> float:
    """Share of all parameters that a frozen tower is."""
    if shape.tower is None or trained:
        return 0.0
    return min(0.9, shape.tower.params / shape.total_params)
