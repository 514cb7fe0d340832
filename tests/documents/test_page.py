"""What the sheets say, before they are printed. None of these tests has a database: whatever is
said comes from the snapshot."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import translation

from apps.core.canonical import canonical_json
from apps.documents.conclusion import conclusion_of
from apps.documents.models import Document
from apps.documents.page import html_of, sheet_of
from apps.documents.sheets.matrix import matrix_of
from apps.documents.sheets.questions import questions_of
from apps.documents.sheets.reading import Reading
from apps.documents.sheets.variants import variants_of
from apps.documents.snapshot import Remark, Snapshot, Superseded
from apps.questionnaire.answers import RawAnswer
from tests.documents import samples
from tests.documents.conftest import document_from

SAMPLES: list[Callable[[], Snapshot]] = [
    samples.rent,
    samples.full,
    samples.approved,
    samples.vague,
    samples.failed,
    samples.scratch,
]


PART_NUMBER = ("Part number", "Артикул")
NOT_NEEDED = {"ru": "не нужен", "en": "not needed"}


_made: dict[tuple[str, str, str], str] = {}


def html(snapshot: Snapshot, kind: str = "draft", language: str = "en") -> str:
    """The sheets of a snapshot, made once however many tests read them."""
    key = snapshot.text(), kind, language
    if key not in _made:
        _made[key] = made_anew(snapshot, kind, language)
    return _made[key]


def made_anew(snapshot: Snapshot, kind: str = "draft", language: str = "en") -> str:
    with translation.override(language):
        return html_of(snapshot, kind=kind, language=language)


def words(source: str) -> str:
    """The text of a page without its markup, spaces made plain."""
    text = unescape(re.sub(r"<[^>]+>", " ", source))
    return re.sub(r"[\s\u00a0\u202f]+", " ", text)


@pytest.fixture(params=SAMPLES, ids=lambda sample: sample.__name__)
def sample(request: pytest.FixtureRequest) -> Snapshot:
    snapshot: Snapshot = request.param()
    return snapshot


def test_every_sample_says_its_number_its_client_and_that_it_is_no_offer(
    sample: Snapshot, language: str
) -> None:
    text = words(html(sample, language=language))
    notice = {"ru": "Не является коммерческим предложением", "en": "Not a commercial offer"}
    assert "ЗС-0042" in text
    assert "Ладога Текст" in text
    assert notice[language] in text


def test_no_key_of_a_message_and_no_none_reaches_the_reader(
    sample: Snapshot, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    text = words(made_anew(sample, language=language))  # what it logs is looked at too
    assert not re.search(r"\b(memory|time|storage|host|rack|variant|result)\.[a-z-]+\.[a-z]", text)
    assert "None" not in text
    assert "%(" not in text
    assert [r.message for r in caplog.records if r.name.startswith("apps.estimation")] == []


def test_nothing_blocked_by_a_strict_policy_is_in_the_markup(sample: Snapshot) -> None:
    source = html(sample)
    assert not re.search(r"\sstyle=|<style|<script|\son[a-z]+=|currentColor|var\(--", source)
    assert not re.search(r"src=|href=\"(?!#[a-z])", source)  # links lead inside the document only


CURRENCY = re.compile(
    r"₽|\$|€|¥|£|\bруб|\bUSD\b|\bEUR\b|\bRUB\b|доллар|\bевро\b|\bprice of\b", re.IGNORECASE
)


def test_money_is_named_in_the_clients_own_budget_only(sample: Snapshot, language: str) -> None:
    text = words(html(sample, language=language))
    budget = samples.REFERENCE["budget"].text
    found = CURRENCY.findall(text)
    if "budget" in sample.answers:
        marked = {
            "ru": f"«{budget}» (бюджет со слов клиента)",
            "en": f"“{budget}” (the client's words)",
        }
        assert marked[language] in text
        found = CURRENCY.findall(text.replace(budget, ""))
    assert found == []


def test_a_blank_answer_is_said_and_one_that_was_not_asked_is_left_out() -> None:
    text = words(html(samples.rent()))
    assert "Free rack units 12 rack units" in text
    assert "Weight allowed not specified" in text
    assert "Trained parameters" not in text  # asked of frozen layers only


def test_what_the_client_does_not_know_stands_with_its_question_and_who_may_know() -> None:
    text = words(html(samples.rent()))
    number = next(
        n for n, q in enumerate(samples.rent().questions, start=1) if q.key == "lora_rank"
    )
    assert f"Rank of the adapters Q{number} I do not know" in text
    assert re.search(rf"Q{number} Rank of the adapters [^Q]*Анна, 4 декабря", text)


def test_the_clients_value_stays_beside_the_engineers_with_the_reason() -> None:
    source = html(samples.full())
    assert "<del>FlashAttention</del>" in source
    assert "В журнале обучения клиента включён SDPA" in source


def test_a_failed_estimator_leaves_its_reason_and_the_rest_stands() -> None:
    text = words(html(samples.failed()))
    assert "Time: not calculated because of a fault of ours" in text
    assert "RuntimeError" not in text
    assert "Memory of one GPU" in text or "Memory on one GPU" in text
    assert "Two volumes:" in text


def test_too_little_gives_questions_and_neither_figures_nor_a_pilot() -> None:
    text = words(html(samples.vague()))
    assert "Too little is known for figures" in text
    assert "Next step: answer the questions above" in text
    assert "GiB" not in text
    assert "What to measure" not in text


def test_a_wanted_measurement_is_promised_first() -> None:
    assert "You asked for a measured step time" in words(html(samples.rent()))
    assert "You asked for a measured step time" not in words(html(samples.full()))


def test_a_draft_says_so_and_the_final_names_who_approved(language: str) -> None:
    draft = html(samples.full(), "draft", language)
    final = html(samples.approved(), "final", language)
    assert 'data-mark="' in draft
    assert 'data-mark="' not in final
    assert "О. Карельская" in final
    assert "О. Карельская" not in draft
    assert "Утверждаю; пилот до заказа." in final


def test_the_final_differs_from_the_draft_in_approval_state_date_and_mark_only() -> None:
    def lines(source: str) -> set[str]:
        return {line.strip() for line in source.splitlines()}

    draft, final = html(samples.full(), "draft"), html(samples.approved(), "final")
    changed = words(" ".join(sorted(lines(draft) ^ lines(final))))
    for unchanged in ("GiB on one GPU", "kW", "Assumptions"):
        assert unchanged not in changed


def test_a_superseded_copy_names_the_revision_that_took_its_place() -> None:
    snapshot = replace(
        samples.approved(), superseded=Superseded(letter="C", at="2026-12-20T10:00:00+00:00")
    )
    assert 'data-mark="ЗАМЕНЕНО ред. C"' in html(snapshot, "superseded", "ru")
    assert 'data-mark="REPLACED BY REV. C"' in html(snapshot, "superseded", "en")


HOSTILE = (
    "<b>x</b><img src=file:///etc/passwd>",
    "{{ snapshot }}{% load x %}",
    "%(name)s %s %d %",
    '\'" onload=alert(1) x="',
    "</table></body><script>alert(1)</script>",
    "&lt;b&gt; &amp;amp; &#0;",
    "\u202e5002-СЗ\u202c",
    "עברית و العربية",
    "a\x00b",
)


def markup_of(source: str) -> set[tuple[str, str]]:
    """Every tag with every attribute it carries."""
    found: set[tuple[str, str]] = set()

    class Collect(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.update((tag, name) for name, _value in [*attrs, ("", None)])

    Collect().feed(source)
    return found


def poisoned(text: str) -> Snapshot:
    """The hostile text in every place where a person writes something."""
    raw = RawAnswer(text).as_dict() | {"who": text, "when": text, "note": text}
    free = ("business_task", "evidence", "success_criterion", "model_name", "budget", "sku")
    answers = {k: (v | raw if k in free else v) for k, v in samples.full().answers.items()}
    return replace(
        samples.full(),
        client=text,
        sent_by=text,
        engineer=text,
        answers=answers,
        attachments=({"name": text, "sha256": "ab" * 32, "size_bytes": 1},),
        failures={"time": text},
        remarks=(Remark(target="", text=text, author=text, at="2026-12-01T08:30:00+00:00"),),
        overrides=tuple(replace(o, reason=text, value=text) for o in samples.full().overrides),
        questions=tuple(
            replace(q, text=text, owner=text, due=text) for q in samples.full().questions
        ),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_what_people_write_is_text_whatever_they_write(text: str) -> None:
    source = html(poisoned(text))
    # Everything that is markup is ours: the same tags and attributes as without the text.
    assert markup_of(source) <= markup_of(html(samples.full()))
    assert text in unescape(source)


def test_a_long_text_is_shortened_with_a_word_about_the_rest() -> None:
    text = words(html(poisoned("щ" * 60_000)))
    assert "the whole text is in the requisition" in text
    assert len(text) < 100_000


def test_the_same_snapshot_gives_the_same_sheet_twice(sample: Snapshot, language: str) -> None:
    document = document_from(sample, language=language)
    assert sheet_of(document) == sheet_of(document)


def test_task_and_result_are_attached_as_they_are() -> None:
    sheet = sheet_of(document_from(samples.rent()))
    attached = {one.name: one for one in sheet.attachments}
    assert attached["task.json"].text == canonical_json(samples.rent().task)
    assert attached["result.json"].text == canonical_json(samples.rent().result)
    assert attached["task.json"].relationship == "Source"


def test_charts_stand_beside_the_page_with_their_numbers_as_words() -> None:
    sheet = sheet_of(document_from(samples.full(), language="en"))
    assert '<svg class="chart"' not in sheet.html
    titles = [
        re.findall(r"<title>(.*?)</title>", drawing)[0] for drawing in sheet.drawings.values()
    ]
    assert titles == [
        "Main figures",
        "Cycle time by number of GPUs",
        "Memory on one GPU, by variant",
        "Storage layout",
        "Rack, front view",
        "Power by feed",
        "What the open questions change in the memory of one GPU",
    ]
    for name, drawing in sheet.drawings.items():
        assert drawing.startswith('<svg class="chart" xmlns=')
        assert drawing.endswith("</svg>")
        assert f'src="{name}"' in sheet.html
    said = unescape(" ".join(re.findall(r'<img class="chart"[^>]* alt="([^"]*)"', sheet.html)))
    assert "Cycle time by number of GPUs" in said
    assert "GiB" in said
    assert "Growth to 8\u00a0GPUs, one feed is lost: feed A feed lost, feed B" in said


def test_a_drawing_that_a_person_typed_stays_a_text() -> None:
    typed = '<svg class="chart"><title>x</title></svg>'
    document = document_from(poisoned(typed))
    assert len(sheet_of(document).drawings) == len(sheet_of(document_from(samples.full())).drawings)
    assert typed in unescape(sheet_of(document).html)


@pytest.mark.parametrize("estimator", ["memory", "time", "interconnect", "storage", "host", "rack"])
def test_any_one_estimator_may_be_missing(estimator: str, language: str) -> None:
    snapshot = samples.make_snapshot(samples.FULL, failed=(estimator,))
    assert "ЗС-0042" in html(snapshot, language=language)


def test_a_bare_result_is_printed_too(language: str) -> None:
    """The least a result document may hold."""
    bare: dict[str, Any] = {"schema": "podbor.result/1", "id": None, "status": "insufficient"}
    snapshot = replace(samples.vague(), result=bare, questions=(), facts=(), context={}, task={})
    assert "ЗС-0042" in html(snapshot, language=language)


def test_open_questions_without_a_computed_influence_are_not_said_to_be_ranked():
    snapshot = samples.approved()
    question = snapshot.questions[0]
    for influence, ranked in ((None, False), (0.4, True)):
        two = (replace(question, influence=influence), replace(question, influence=None))
        with translation.override("en"):
            sheet = questions_of(Reading(snapshot=replace(snapshot, questions=two), kind="draft"))
        assert ("comes first" in sheet.conclusion) is ranked
        assert ("not worked out" in sheet.conclusion) is not ranked


def test_a_page_that_leads_to_the_document_says_its_conclusion():
    document = document_from(samples.approved(), Document.Kind.FINAL)
    with translation.override("en"):
        said = conclusion_of(document)
    sheet = words(html(samples.approved(), kind="final"))
    assert said.title.replace("\u00a0", " ") in sheet
    assert said.readiness in sheet


def test_a_source_without_a_date_says_none(sample: Snapshot, language: str) -> None:
    """«not specified» after a source reads as if the source itself were unknown."""
    source = html(sample, language=language)
    ends = re.findall(r'<span class="from">([^<]*)</span>', source)
    undated = [fact for fact in sample.facts if not fact.as_of]
    missing = {"ru": "не указано", "en": "not specified"}[language]
    assert [end for end in ends if missing in end or end.endswith((",", " "))] == []
    assert len([end for end in ends if not re.search(r"\d{4}$", end)]) >= bool(undated)


def test_a_rented_server_has_no_part_number_to_confirm(language: str) -> None:
    """What the landlord puts together is not the client's to order."""
    snapshot = samples.full()
    reading = Reading(snapshot=snapshot, kind="draft")
    with translation.override(language):
        variants = variants_of(reading)
        rows = [row for row in matrix_of(reading, variants).rows if row.label in PART_NUMBER]
    cells = {variant.rented: cell for variant, cell in zip(variants, rows[0].cells, strict=True)}
    assert (cells[True].text, cells[True].tag) == (NOT_NEEDED[language], "")
    assert cells[False].tag
