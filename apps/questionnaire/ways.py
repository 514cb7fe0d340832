"""The other ways a requisition may be led to: why, compared with what, what to do, what leads back.

Words only, in every language; the gate page, the short document and the assessment show them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.questionnaire.gate import INFERENCE, JUDGED_BY, PILOT_FIRST, RAG_FIRST
from apps.questionnaire.sentences import Text


@dataclass(frozen=True, slots=True)
class Cell:
    """One text of a comparison under its head."""

    head: Text
    text: Text


@dataclass(frozen=True, slots=True)
class Compared:
    label: Text
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ways side by side: each row has one text for each head."""

    heads: tuple[Text, ...]
    texts: tuple[tuple[Text, tuple[Text, ...]], ...]

    @property
    def rows(self) -> tuple[Compared, ...]:
        """Each text with its head: on a narrow screen a row becomes a card."""
        return tuple(
            Compared(label, tuple(map(Cell, self.heads, cells))) for label, cells in self.texts
        )


@dataclass(frozen=True, slots=True)
class Need:
    """Something the next selection starts from; `known_from` are questions that may tell it."""

    what: Text
    why: Text
    known_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """What a pilot measures, and what the answer decides."""

    what: Text
    decides: Text


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows from the outcome of a trial; `verdict` is a verdict of the styles."""

    verdict: str
    text: Text


@dataclass(frozen=True, slots=True)
class Way:
    """`steps` is what to do, `reopens` what would make training worth sizing again, `grounds` the
    questions whose answers lead here. `why` follows from the client's answers; `advice` stands in
    its place where an engineer advises the way whatever they are."""

    key: str
    title: Text
    why: Text
    steps: tuple[Text, ...]
    reopens: tuple[Text, ...]
    grounds: tuple[str, ...] = (*JUDGED_BY, "evidence")
    comparison: Comparison | None = None
    needs: tuple[Need, ...] = ()
    measures: tuple[Measure, ...] = ()
    rules: tuple[Rule, ...] = ()
    advice: Text = ""


KNOWLEDGE: Final = Comparison(
    heads=(
        _("Search with a ready model (RAG)"),
        _("Adapter (LoRA)"),
        _("Training all weights"),
    ),
    texts=(
        (
            _("Fresh facts"),
            (
                _("A new document is found as soon as it is indexed"),
                _("Only after the next training run"),
                _("Only after the next training run, and that is the longest one"),
            ),
        ),
        (
            _("Access rights"),
            (
                _("The answer holds what the person may open, with a link to it"),
                _("What was trained in anybody can draw out: rights by document are lost"),
                _("The same: the data become part of the weights"),
            ),
        ),
        (
            _("Effort"),
            (
                _("An index, splitting of texts, tuning of the search; no training"),
                _("Prepared pairs of question and answer, runs on one or a few GPUs"),
                _("The whole recipe, several GPUs, checkpoints, repeats"),
            ),
        ),
        (
            _("Test of quality"),
            (
                _("Share of right answers, of refusals and of right links on held-out questions"),
                _("The same questions, against the ready model and against search"),
                _("The same, and what the model has forgotten"),
            ),
        ),
        (
            _("Good at"),
            (
                _("Facts from documents that change"),
                _("A steady format, a style, a narrow skill"),
                _("A new language or field"),
            ),
        ),
    ),
)

RAG: Final = Way(
    "rag",
    RAG_FIRST.title,
    RAG_FIRST.text,
    RAG_FIRST.steps,
    (
        _(
            "The right passage is found, and the answer is still wrong: the model falls short, not the search."
        ),
        _("The format or the terms stay unsteady, however the request to the model is worded."),
        _("A search service over these documents is not allowed where they are kept."),
    ),
    comparison=KNOWLEDGE,
)

SERVE: Final = Way(
    "inference",
    INFERENCE.title,
    INFERENCE.text,
    INFERENCE.steps,
    (
        _("The ready model is tested on your task, and its weights have to change after all."),
        _("An adapter has to be trained and retrained beside serving."),
    ),
    advice=_(
        "What is wanted is a running model and not its training. Inference is sized by the number of users, the length of the answer and the cache of keys and values."
    ),
    needs=(
        Need(
            _("Model and number of parameters"),
            _("The weights are the first part of the memory."),
            ("model_name", "params"),
        ),
        Need(
            _("Precision of the weights"),
            _("It says how many bytes one parameter takes."),
        ),
        Need(
            _("Who uses it"),
            _("It says whose requests meet at the peak."),
            ("sharing", "teams"),
        ),
        Need(
            _("Requests a second at the peak"),
            _("It multiplies the cache of keys and values."),
        ),
        Need(
            _("Length of a question and of an answer"),
            _("The cache grows with every token of both."),
        ),
        Need(
            _("How long a person may wait for the first word"),
            _("It decides how many requests are served at once."),
        ),
        Need(
            _("Own or rented, and where it stands"),
            _("The rack or the contract bounds the choice."),
            ("acquisition", "kw_usable", "rack_units", "cooling"),
        ),
        Need(
            _("May the data leave the site"),
            _("If not, a cloud is out."),
            ("data_may_leave",),
        ),
        Need(
            _("Server that serves it now"),
            _("Its measured load is worth more than a calculation."),
            ("inference_server",),
        ),
        Need(
            _("Wanted date"),
            _("Delivery takes months, a rent takes days."),
            ("wanted_date",),
        ),
    ),
)

TRIAL: Final = Way(
    "pilot",
    PILOT_FIRST.title,
    PILOT_FIRST.text,
    PILOT_FIRST.steps,
    (
        _("Quality on held-out data before and after, on the same questions."),
        _("The measured time of a step and the peak of memory, with the settings of the run."),
    ),
    advice=_(
        "A short run on rented GPUs costs days and shows whether training gives a gain at all. A server is chosen after it, by measured figures."
    ),
    grounds=(*JUDGED_BY, "evidence", "held_out_set", "success_criterion"),
    measures=(
        Measure(
            _("Quality on held-out data, before and after"),
            _("The only figure that says whether to go on."),
        ),
        Measure(
            _("Time of a step after the warm-up"),
            _("Replaces the estimate of the time."),
        ),
        Measure(
            _("Peak of memory on one GPU"),
            _("Decides which cards are enough."),
        ),
        Measure(
            _("Reading and preparing the data without training"),
            _("If it is slower than the GPUs eat, the drives or the processors come first."),
        ),
        Measure(
            _("Saving a checkpoint, stopping, resuming"),
            _("The run must go on from the same step with the same loss."),
        ),
    ),
    rules=(
        Rule(
            "ok",
            _("There is a gain over the ready model: size the server by the measured figures."),
        ),
        Rule(
            "tight",
            _(
                "The gain is within the spread of repeats: repeat on the same rented GPUs, buy nothing yet."
            ),
        ),
        Rule(
            "blocked",
            _(
                "No gain on held-out data: do not scale up. A bigger server repeats the same result sooner."
            ),
        ),
    ),
)

PLACES: Final = Comparison(
    heads=(_("Own server"), _("Rented GPUs"), _("Own base, rented peaks")),
    texts=(
        (
            _("When it suits"),
            (
                _("A steady load for years: the GPUs are busy most of their hours"),
                _("One project, bursts, a method not yet tested"),
                _("A steady part and a few large runs a year"),
            ),
        ),
        (
            _("What it asks for"),
            (
                _("Room, power, cooling and people who keep it running"),
                _("Data that may leave the site and a way to move them; a quota for the period"),
                _("Both, and a recipe that runs in both places"),
            ),
        ),
        (
            _("How soon"),
            (
                _("After delivery and preparing the rack: months"),
                _("Days, when there is free capacity"),
                _("The rented part at once"),
            ),
        ),
        (
            _("Main risk"),
            (
                _("Idle hours; too small before the term is over"),
                _("Hours paid for waiting and for moving data"),
                _("Two environments that have to be kept equal"),
            ),
        ),
    ),
)

PLACE: Final = Way(
    "cloud",
    pgettext_lazy("other way", "Decide first: your own server, a rented one, or both"),
    _(
        "The task can be sized, but the way to have the server decides which variants are worth comparing. The load in GPU-hours settles it better than a taste does."
    ),
    (
        _("Count the GPU-hours of a quarter: runs × hours of a run × GPUs, with failed runs in."),
        _(
            "Set the whole cost of your own server for its term against the rent of the same GPU-hours: your figures, not ours."
        ),
        _("Find out whether the data may leave the site."),
        _("If the load is a guess, rent for a quarter and write the hours down."),
    ),
    (
        _("GPU-hours of a quarter, measured or planned run by run."),
        _("The choice between own, rented and both, with the person who made it."),
    ),
    grounds=(
        "acquisition",
        "use",
        "runs_per_quarter",
        "busy_share",
        "data_may_leave",
        "wanted_date",
    ),
    comparison=PLACES,
)


def why_of(way: Way, *, at_gate: bool) -> Text:
    """Why this way comes first: by the client's answers, or by an engineer's advice."""
    return way.why if at_gate or not way.advice else way.advice


WAYS: Final = {way.key: way for way in (RAG, SERVE, TRIAL, PLACE)}
