"""Encoders, models of text and images, training on preferences and by reinforcement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.catalog.answers import answer
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.estimators.time import estimate_time
from apps.sizing.likeness import differences, likeness
from apps.sizing.memory.activations import layer_bytes_per_token, loss_bytes
from apps.sizing.memory.phases import peak_of
from apps.sizing.memory.states import resident_states
from apps.sizing.nearest import nearest_runs
from apps.sizing.settling_kinds import GENERATION_FACTS
from apps.sizing.timing.layers import layer_time
from apps.sizing.timing.rates import rates_of
from apps.sizing.timing.steps import step_time
from apps.sizing.timing.workload import model_flops_per_step_per_gpu
from tests.sizing.engine import CATALOG, GIB, case_of, task_of

BERT = {"name": "bert-base-uncased", "kind": "encoder"}
QWEN_VL = {"name": "Qwen/Qwen2-VL-7B-Instruct", "kind": "vlm"}


def test_a_layer_of_bert_keeps_what_was_counted():
    """37.5 bytes per hidden element in half precision, 74.7 in fp32, 45.3 under autocast."""
    recipe = {"sequence_length": 512, "framework": None}
    for precision, counted in (("bf16-pure", 37.5), ("fp32", 74.7), ("bf16-mixed", 45.3)):
        case = case_of(model=BERT, recipe={**recipe, "precision": precision})
        assert layer_bytes_per_token(case) / 768 == pytest.approx(counted, rel=0.02), precision


def test_an_encoder_attends_in_both_directions():
    """All scores instead of half of them: 4·q·s operations a token and layer, forward."""
    encoder = case_of(model=BERT, recipe={"sequence_length": 512, "stage": "pretrain"})
    causal = encoder.vary(shape=replace(encoder.shape, kind="decoder"))
    attention = [layer_time(c, rates_of(c)).attention for c in (encoder, causal)]
    assert attention[0] == pytest.approx(2 * attention[1])
    extra = model_flops_per_step_per_gpu(encoder) - model_flops_per_step_per_gpu(causal)
    assert extra == pytest.approx(6 * 12 * 768 * 512 * 512)


def test_a_classifier_has_no_logits_over_the_vocabulary():
    tuned, masked = (
        case_of(model=BERT, recipe={"stage": stage, "micro_batch": 32, "sequence_length": 128})
        for stage in ("sft", "pretrain")
    )
    assert loss_bytes(tuned) == 0.0
    assert loss_bytes(masked) > 4096 * 30522 * 6
    assert step_time(tuned).total_s < step_time(masked).total_s


def test_an_encoder_of_no_stated_stage_asks_what_it_predicts():
    found = estimate_memory(
        task_of(model=BERT, recipe={"micro_batch": 64, "sequence_length": 512}), CATALOG
    )
    assert found is not None
    assert found.influences["recipe.stage"] > 0.05


@pytest.mark.parametrize(
    ("name", "batch", "samples_per_s"),
    # DeepSpeed's autotuning examples: MNLI at 128 tokens on V100 in fp32, 16 GPUs.
    [("bert-large-uncased", 64, 46.4), ("bert-large-uncased", 93, 50.5)],
)
def test_published_fine_tuning_of_encoders_is_inside(name, batch, samples_per_s):
    task = task_of(
        model={"name": name, "kind": "encoder"},
        accelerator="V100-SXM2",
        gpus=16,
        recipe={
            "precision": "fp32",
            "micro_batch": batch,
            "sequence_length": 128,
            "attention": "eager",
        },
        placement={"data_parallel": "ddp", "nodes": 1},
    )
    found = estimate_time(task, CATALOG)
    assert found is not None
    rate = found.samples_per_s / 16
    assert rate.low < samples_per_s < rate.high
    assert rate.typical == pytest.approx(samples_per_s, rel=0.15)


def test_an_encoder_with_a_decoder_attends_thrice_in_two_layers():
    case = case_of(model={"name": "t5-base", "kind": "encoder-decoder"})
    assert case.shape.layers == 24
    case = case.vary(eager=False)
    one = layer_time(case, rates_of(case)).attention
    causal = case.vary(shape=replace(case.shape, kind="decoder"))
    assert one == pytest.approx(2.5 * layer_time(causal, rates_of(causal)).attention)


def test_position_biases_keep_the_scores_whatever_the_kernel():
    """T5, counted at 128 and 512 tokens: the pair of layers grew by 12 bytes a score of three
    attentions, of which the mask takes two more on a CPU than on a GPU."""
    short, long = (
        layer_bytes_per_token(
            case_of(
                model={"name": "t5-base", "kind": "encoder-decoder"},
                recipe={"sequence_length": tokens, "precision": "bf16-mixed"},
            )
        )
        for tokens in (128, 512)
    )
    each = 2 * (long - short) / (3 * 12 * (512 - 128))
    assert 5 <= each <= 12
    assert case_of(model={"name": "t5-base"}).eager
    assert not case_of(model={"name": "bert-base-uncased", "kind": "encoder"}).eager


def test_a_frozen_tower_has_weights_and_no_states():
    frozen = case_of(model=QWEN_VL, recipe={"framework": "llama-factory"})
    trained = case_of(model=QWEN_VL, recipe={"framework": "hf-trainer"})
    assert not frozen.tower_trained
    assert trained.tower_trained
    saved = resident_states(trained).optimizer - resident_states(frozen).optimizer
    assert saved / 0.669e9 == pytest.approx(4, rel=0.01)  # two moments of bf16
    assert peak_of(trained).kept > peak_of(frozen).kept


def test_image_tokens_and_their_tower_cost_time():
    small, large = (
        case_of(
            model={**QWEN_VL, "image_size": side},
            recipe={"framework": "llama-factory", "micro_batch": 4},
        )
        for side in (448, 896)
    )
    tower = large.shape.tower
    assert tower is not None
    assert tower.patches == pytest.approx(4096)
    assert tower.image_tokens == pytest.approx(1024)
    assert step_time(large).total_s > step_time(small).total_s


def test_a_model_of_text_and_images_asks_for_the_image_and_for_the_tower():
    found = estimate_memory(task_of(model=QWEN_VL, recipe={"micro_batch": 4}), CATALOG)
    assert found is not None
    assert {"model.image_size", "recipe.image_tower"} <= set(found.influences)


def test_a_pair_of_towers_is_a_model_of_images():
    case = case_of(
        model={"name": "clip-vit-base-patch16", "kind": "vlm"}, recipe={"micro_batch": 8}
    )
    assert case.shape.sample is not None
    assert case.shape.tower is None
    # The image's tower is ViT-B/16, the text's is two thirds as wide and has 77 tokens.
    assert 35.1e9 < case.shape.sample.forward_flops < 1.2 * 35.1e9


@pytest.mark.parametrize(
    ("stage", "copies", "sequences"), [("dpo", 1, 2), ("kto", 1, 1), ("orpo", 0, 2), ("rm", 0, 2)]
)
def test_preference_training_holds_its_reference_and_its_pairs(stage, copies, sequences):
    plain, case = (case_of(recipe={"stage": s, "micro_batch": 2}) for s in ("sft", stage))
    assert case.tokens == sequences * plain.tokens
    weights = resident_states(case).weights - resident_states(plain).weights
    assert weights == pytest.approx(copies * 2 * 8.03e9, rel=0.01)


def test_a_pair_is_one_sample_of_the_data():
    """As many steps go through the pairs as through single answers."""
    steps = []
    for stage in ("sft", "dpo"):
        recipe = {"stage": stage, "micro_batch": 2, "epochs": 1}
        found = estimate_time(task_of(recipe=recipe, data={"samples": 10_000}), CATALOG)
        assert found is not None
        assert found.cycle is not None
        steps.append(found.cycle.steps)
    assert steps == [5_000, 5_000]


@pytest.mark.parametrize(("said", "taken"), [("simpo", "orpo"), ("cpo", "orpo"), ("ipo", "dpo")])
def test_relatives_of_a_loss_cost_what_it_does(said, taken):
    assert case_of(recipe={"stage": said}).stage == taken


def test_adapters_are_their_own_reference():
    case = case_of(method="lora", recipe={"stage": "dpo", "lora_rank": 16})
    plain = case_of(method="lora", recipe={"stage": "sft", "lora_rank": 16})
    assert resident_states(case).weights == resident_states(plain).weights
    # It is run without gradients all the same: a forward pass beside two and a half to three.
    pairs = plain.vary(tokens=case.tokens, micro_batch=case.micro_batch)
    assert 1.2 < step_time(case).total_s / step_time(pairs).total_s < 1.5


def test_a_reward_model_has_one_output():
    assert loss_bytes(case_of(recipe={"stage": "rm"})) == 0.0
    assert step_time(case_of(recipe={"stage": "rm"})).total_s > 0


def test_whether_the_reference_stays_is_asked():
    found = estimate_memory(task_of(recipe={"stage": "dpo"}), CATALOG)
    assert found is not None
    assert found.influences["recipe.reference_model"] > 0.1
    assert found.device_gib.low < found.device_gib.typical - 10


@pytest.mark.parametrize("stage", ["ppo", "grpo"])
def test_reinforcement_is_a_magnitude_of_memory_and_no_time(stage):
    document = {
        "method": "full",
        "model": {"name": "Qwen2.5-7B"},
        "recipe": {
            "stage": stage,
            "framework": "trl",
            "precision": "bf16-mixed",
            "optimizer": "adamw",
            "sequence_length": 4096,
            "micro_batch": 2,
            "activation_checkpointing": "full",
        },
        "data": {"samples": 100_000},
        "placement": {"accelerator": "H100-SXM5-80", "gpus": 8, "data_parallel": "zero3"},
    }
    result = answer(document, whole=True)
    assert result["status"] == "magnitude"
    assert result["memory"]["device_gib"]["high"] > 1.3 * result["memory"]["device_gib"]["typical"]
    assert result["time"] is None
    assert result["reasons"]["time"]["key"] == "result.reason.not-enough-known"
    asked = {question["field"] for question in result["open_questions"]}
    assert set(GENERATION_FACTS) <= asked
    assert result["readiness"] == "early"
    assert "time.assumption.generation-unknown" in [m["key"] for m in result["assumptions"]]


def test_language_models_that_were_measured_say_nothing_of_other_kinds():
    denoiser = case_of(model={"name": "SDXL", "kind": "diffusion"}, method="lora")
    assert nearest_runs(denoiser, "hf-trainer") == []
    assert nearest_runs(case_of(model=BERT), "hf-trainer") == []
    assert nearest_runs(case_of(recipe={"stage": "grpo"}), "hf-trainer") == []
    assert nearest_runs(case_of(), "hf-trainer")


def test_a_run_on_examples_is_only_partly_like_one_on_preferences():
    of_run = task_of()
    run, case = case_of(), case_of(recipe={"stage": "dpo"})
    found = list(differences(case, "hf-trainer", run, of_run))
    assert [m.params["field"] for m in found] == ["recipe.stage"]
    assert likeness(found) == "partly"


def test_a_generation_engine_may_take_its_share_of_the_card():
    case = case_of(recipe={"stage": "grpo"})
    more = peak_of(case.vary(engine_share=0.3)).phase.total - peak_of(case).phase.total
    assert more / GIB == pytest.approx(0.3 * case.card.usable_memory_gib)


def test_reinforcement_without_hardware_gets_memory_and_no_deadline():
    document = {
        "method": "full",
        "model": {"name": "Qwen2.5-1.5B"},
        "recipe": {
            "stage": "grpo",
            "framework": "trl",
            "precision": "bf16-mixed",
            "optimizer": "adamw",
            "sequence_length": 2048,
            "micro_batch": 1,
            "activation_checkpointing": "full",
        },
        "data": {"samples": 10_000},
        "cycle": {"target_hours": 24, "scope": "run"},
    }
    result = answer(document)
    assert result["status"] == "magnitude"
    assert result["variants"]
    assert all(variant["time"] is None for variant in result["variants"])
    assert result["plan"] is None
    assert result["reasons"]["plan"]["key"] == "plan.reason.no-time"
    assert all(row["here"] is None or row["here"]["step_s"] is None for row in _applying(result))


def _applying(result):
    return [row for row in result["methods"]["rows"] if row["reason"] is None]
