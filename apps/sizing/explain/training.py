"""Lines of the three parts that follow from the case: memory, exchange, time."""

from __future__ import annotations

from apps.sizing.cases import Case
from apps.sizing.estimators.interconnect import bytes_per_step, exchange_s
from apps.sizing.explain.derivation import Sheet
from apps.sizing.explain.usual import usual_cycle
from apps.sizing.memory.activations import activations, layer_bytes_per_token, loss_bytes
from apps.sizing.memory.allocator import held_memory
from apps.sizing.memory.beside import (
    encoding_bytes,
    engine_bytes,
    frozen_encoder_bytes,
    tower_kept_bytes,
)
from apps.sizing.memory.phases import BACKWARD, LOSS, STEP, peak_of
from apps.sizing.memory.states import local_params, optimizer_bytes_per_param, resident_states
from apps.sizing.memory.unsharded import buffers
from apps.sizing.ranges import Range
from apps.sizing.task import Task
from apps.sizing.timing.cycle import cycle_of
from apps.sizing.timing.exchange import layer_exchange, step_exchange
from apps.sizing.timing.feeding import data_wait_s
from apps.sizing.timing.images import images_s, tower_s
from apps.sizing.timing.layers import (
    dequantise_s,
    elementwise_s,
    head_s,
    layer_time,
    products_of,
)
from apps.sizing.timing.links import links_of
from apps.sizing.timing.rates import Rates, product_s, rates_of
from apps.sizing.timing.steps import (
    bubble_ratio,
    exposed_gradients_s,
    head_share_s,
    layer_passes,
    step_time,
)
from apps.sizing.timing.workload import (
    model_flops_per_step_per_gpu,
    run_length,
    samples_per_step,
    tokens_per_step_per_gpu,
    utilisation,
)
from apps.sizing.units import GIB

_PHASES = {LOSS: "M_fwd", BACKWARD: "M_bwd", STEP: "M_step"}


def memory_lines(sheet: Sheet, case: Case) -> None:
    """Parts, phases, the peak, and what the allocator and the driver make of it."""
    states, acts, held = resident_states(case), activations(case), buffers(case)
    params = local_params(case)

    def add(
        key: str, mark: str, value: float, *, unit: str = "binary", detail: bool = False
    ) -> None:
        sheet.add("memory", key, mark, unit, value, detail=detail)

    if case.adapters is not None:
        add("adapter_params", "P_ad", case.adapters.trained_params, unit="")
    add("stage_layers", "L_p", case.stage_layers, unit="", detail=True)
    add("local_params", "N", params.total, unit="", detail=True)
    if case.shape.sample is None:
        add("layer_params", "P_lay", case.shape.layer_params, unit="", detail=True)
        add("tokens", "T", case.tokens, unit="tokens")
    add("optimizer_bytes", "b_opt", optimizer_bytes_per_param(case), unit="bytes", detail=True)
    add("weights", "W", states.weights)
    add("gradients", "G", states.gradients)
    add("optimizer", "O", states.optimizer)
    if case.shape.sample is None:
        add("layer_bytes", "b_lay", layer_bytes_per_token(case))
    add("tower_kept", "A_tow", tower_kept_bytes(case), detail=True)
    add("kept", "A", acts.kept)
    add("working", "A_blk", acts.working)
    add("loss", "C", loss_bytes(case) if case.shape.sample is None else 0.0)
    add("early_gradients", "G_0", states.early_gradients)
    add("buckets", "B_ddp", states.buckets)
    add("frozen_encoders", "W_enc", frozen_encoder_bytes(case))
    add("encoding", "A_enc", encoding_bytes(case))
    add("engine", "B_eng", engine_bytes(case))
    add("step_temporary", "B_opt", states.step_temporary)
    add("buffers_loss", "B_fwd", held.loss)
    add("buffers_backward", "B_bwd", held.backward)
    _peak_lines(sheet, case)


def _peak_lines(sheet: Sheet, case: Case) -> None:
    peak = peak_of(case)
    totals: dict[str, float] = {}
    for phase in peak.phases:
        # Two moments of backward: the larger one is what the phase needs.
        name = phase.name
        total = phase.total
        totals[name] = max(totals[name], total) if name in totals else total
    for name, total in totals.items():
        sheet.add("memory", f"phase.{name}", _PHASES.get(name, f"M_{name}"), "binary", total)
    allocated = sheet.leaves.tracer.largest(totals.values())
    sheet.add("memory", "allocated", "M_peak", "binary", allocated)
    found = held_memory(case, peak)
    sheet.add("memory", "reserved", "M_res", "binary", found.reserved)
    sheet.add("memory", "device", "M_dev", "binary", found.device)
    # The same in the unit of the result, by which the card is judged.
    sheet.add(
        "memory",
        "device_share",
        "k_card",
        "share",
        found.device / (case.card.usable_memory_gib * GIB),
    )


def exchange_lines(sheet: Sheet, case: Case) -> None:
    """Links, bytes a GPU sends in a step by purpose, seconds, and what nothing hides."""

    def add(key: str, mark: str, unit: str, value: float, *, detail: bool = False) -> None:
        sheet.add("interconnect", key, mark, unit, value, detail=detail)

    if case.layout.gpus == 1:
        return
    step = step_time(case)
    links, layer = step.links, step.layer
    add("link_intra", "R_in", "bytes_per_s", links.intra)
    add("link_network", "R_out", "bytes_per_s", links.network or 0.0)
    add("link_group", "R_grp", "bytes_per_s", links.group, detail=True)
    add("latency", "t_lat", "s", links.latency_s, detail=True)
    for name in ("weights", "tensor", "context", "expert"):
        mark = name[0] + "x"
        add(
            f"layer_bytes.{name}",
            f"q_{mark}",
            "bytes",
            getattr(layer, f"{name}_bytes"),
            detail=True,
        )
    volumes = bytes_per_step(case, step)
    marks = ("gradients", "weights", "tensor", "context", "expert", "pipeline", "total")
    for name in marks:
        add(f"sent.{name}", "Q" if name == "total" else f"Q_{name[:4]}", "bytes", volumes[name])
    add("gather_forward", "t_agf", "s", layer.weights_forward_s, detail=True)
    add("gather_backward", "t_agb", "s", layer.weights_backward_s, detail=True)
    add("tensor_exchange", "t_tp", "s", layer.tensor_s, detail=True)
    add("context_exchange", "t_cp", "s", layer.context_s, detail=True)
    add("expert_exchange", "t_ep", "s", layer.expert_s, detail=True)
    add("gradient_exchange", "t_gr", "s", step.step.gradients_s, detail=True)
    add("exchange_alone", "t_ex", "s", exchange_s(case, step))


def exposed_lines(sheet: Sheet, case: Case) -> None:
    """What of the exchange nothing hides; the lines of time stand before."""
    if case.layout.gpus == 1:
        return
    step = step_time(case)
    sheet.add("interconnect", "exposed", "t_open", "s", step.exposed_s)
    share = step.exposed_s / step.total_s
    sheet.add("interconnect", "exposed_share", "k_open", "share", share)


def time_lines(sheet: Sheet, case: Case, task: Task, step_s: float) -> None:
    """From rates and products to the step, the cycle, the rate and MFU.

    Args:
        step_s: the recorded seconds of a step after everything that moves it.
    """
    rates = rates_of(case)

    def add(key: str, mark: str, unit: str, value: float, *, detail: bool = False) -> None:
        sheet.add("time", key, mark, unit, value, detail=detail)

    add("rate_product", "F", "flops_per_s", rates.product)
    if rates.low_precision is not None:
        add("rate_low", "F_low", "flops_per_s", rates.low_precision)
    add("bandwidth", "R", "bytes_per_s", rates.bandwidth)
    if case.shape.sample is None:
        add("rate_attention", "F_att", "flops_per_s", rates.attention, detail=True)
        add("tower_time", "t_tow", "s", tower_s(case, rates))
        _layer_lines(sheet, case, rates)
        add("tokens_per_step", "T_step", "tokens", tokens_per_step_per_gpu(case))
    add("model_flops", "F_step", "flops", model_flops_per_step_per_gpu(case))
    if case.shape.sample is not None:
        add("images_time", "t_img", "s", images_s(case, rates, case.shape.sample))
    _step_lines(sheet, case, step_s)
    _cycle_lines(sheet, case, task, step_s)


def _layer_lines(sheet: Sheet, case: Case, rates: Rates) -> None:
    """One layer: products, attention, element-wise work, unpacking; forward and backward."""

    def add(key: str, mark: str, value: float, *, unit: str = "s", detail: bool = True) -> None:
        sheet.add("time", key, mark, unit, value, detail=detail)

    tokens = case.tokens * case.padding
    add("pass_tokens", "T_av", tokens, unit="tokens")
    products = products_of(case)
    add("outer_half", "o_half", rates.outer_half, unit="")
    apart = {tuple(map(sheet.leaves.tracer.node_of_id, pair)): pair for pair in products}
    for number, (inputs, outputs) in enumerate(apart.values(), start=1):
        # As the engine counts them: outputs first.
        add(
            f"product_flops.{number}",
            f"w_{number}",
            2.0 * (tokens * outputs) * inputs,
            unit="flops",
        )
        add(f"product.{number}", f"t_{number}", product_s(rates, tokens, outputs, inputs))
    add("products", "t_mm", sum(product_s(rates, tokens, o, i) for i, o in products))
    if case.adapters is None:
        for number, (inputs, outputs) in enumerate(apart.values(), start=1):
            seconds = product_s(rates, inputs, outputs, tokens)
            add(f"weight_product.{number}", f"t_w{number}", seconds)
        weights = sum(product_s(rates, i, o, tokens) for i, o in products)
        add("weight_products", "t_dw", weights)
    layer = layer_time(case, rates)
    add("attention", "t_att", layer.attention, detail=False)
    add("elementwise", "t_ew", elementwise_s(case, rates, tokens), detail=False)
    add("dequantise", "t_dq", dequantise_s(case), detail=False)
    add("layer_forward", "t_f", layer.forward, detail=False)
    add("layer_backward", "t_b", layer.backward, detail=False)
    add("layer_recompute", "t_rc", layer.recompute, detail=False)
    add("launch_forward", "t_lf", layer.launch_forward)
    add("launch_backward", "t_lb", layer.launch_backward)
    exchange = layer_exchange(case, links_of(case), layer)
    add("head", "t_hd", head_s(case, rates), detail=False)
    forward, backward = layer_passes(case, layer, exchange)
    add("pass_forward", "t_pf", forward, detail=False)
    add("pass_backward", "t_pb", backward, detail=False)


def _step_lines(sheet: Sheet, case: Case, step_s: float) -> None:
    def add(key: str, mark: str, value: float, *, unit: str = "s", detail: bool = False) -> None:
        sheet.add("time", key, mark, unit, value, detail=detail)

    step = step_time(case)
    if case.shape.sample is None:
        rates, links = rates_of(case), links_of(case)
        layer = layer_time(case, rates)
        exchange, once = layer_exchange(case, links, layer), step_exchange(case, links)
        forward, backward = layer_passes(case, layer, exchange)
        head = head_share_s(case, head_s(case, rates), links)
        add("head_share", "t_hs", head, detail=True)
        add("micro_batch_time", "t_mb", (forward + backward) * step.layers + head)
        if case.layout.pipeline > 1:
            add("bubble", "k_bub", bubble_ratio(case), unit="ratio")
        add(
            "exposed_gradients",
            "t_go",
            exposed_gradients_s(case, once, forward, backward, step.layers),
        )
    add("optimizer_time", "t_opt", step.optimizer_s)
    add("offload_time", "t_off", step.offload_s)
    add("step", "t_step", step_s)
    add("step_alone", "t_calc", step.total_s, detail=True)
    if case.shape.sample is None:
        tokens = tokens_per_step_per_gpu(case)
        add("tokens_per_s", "v_tok", tokens / step_s, unit="tokens_per_s")
    samples = samples_per_step(case)
    add("samples_per_step", "b_all", samples, unit="", detail=True)
    add("samples_per_s", "v_smp", samples / step_s, unit="per_s")
    add("mfu", "MFU", utilisation(case, step_s), unit="share")


def _cycle_lines(sheet: Sheet, case: Case, task: Task, step_s: float) -> None:
    def add(key: str, mark: str, unit: str, value: float, *, detail: bool = False) -> None:
        sheet.add("time", key, mark, unit, value, detail=detail)

    wait = data_wait_s(case, task.data, step_s)
    add("wait", "t_wait", "s", wait)
    length = run_length(case, task)
    if length is None:
        return
    add("steps", "n_st", "", length.steps)
    with usual_cycle(sheet.leaves):
        cycle = cycle_of(case, task, length, Range.exact(step_s), wait)
    marks = {
        "steps": "t_run",
        "start": "t_start",
        "evaluation": "t_eval",
        "saves": "t_save",
        "restarts": "t_rest",
    }
    for name, hours in cycle.parts_hours.items():
        add(f"hours.{name}", marks.get(name, f"t_{name[:4]}"), "hours", hours)
    add("hours", "t_cyc", "hours", cycle.hours.typical)
    if task.cycle.target_hours:
        add("deadline_share", "k_due", "share", cycle.hours.typical / task.cycle.target_hours)
