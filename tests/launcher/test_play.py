"""The demo answers as a person would: what it knows, «I do not know» for the rest."""

from pathlib import Path
from typing import Any

import pytest

from apps.questionnaire.answers import RawAnswer, evaluate
from config.launcher import play
from config.launcher.browser import Unexpected
from config.launcher.layout import Checkout
from config.launcher.page import Form, Page, read_page

FORM = """
<form method="post" action="/r/5/s/goal/">
  <input type="hidden" name="asked" value="purpose"><input type="hidden" name="asked" value="layers">
  <input type="hidden" name="asked" value="budget">
  <input type="radio" name="purpose" value="behaviour"><input type="radio" name="purpose" value="?">
  <input name="layers"><input type="checkbox" name="layers-unknown" value="1">
  <input name="layers-who">
  <input name="budget">
  <input type="radio" name="finished" value="yes"><input type="radio" name="finished" value="no">
  <button name="action" value="continue">On</button>
</form>
"""


def page_with(html: str) -> Page:
    return read_page("http://127.0.0.1:1/", 200, {"content-type": "text/html"}, html.encode())


@pytest.fixture
def form() -> Form:
    found = play.question_form(page_with(FORM))
    assert found
    return found


def test_known_answers_are_given_and_the_rest_is_unknown(form: Form) -> None:
    script = play.Script(answers={"budget": "600"}, unknown={"who": "Игорь", "when": "завтра"})
    sent = play.answered(form, ["purpose", "layers", "budget"], script)
    assert sent == {
        "purpose": "?",
        "layers-unknown": "1",
        "layers-who": "Игорь",
        "budget": "600",
        "finished": "yes",
    }
    assert form.filled(sent)


def test_a_page_without_questions_has_no_question_form() -> None:
    assert play.question_form(page_with("<form><input name=q></form>")) is None


def test_the_number_is_read_from_the_page() -> None:
    assert play.number_of(page_with("<p>Заявка ЗС-0042 отправлена</p>")) == "ЗС-0042"
    with pytest.raises(Unexpected, match="no number"):
        play.number_of(page_with("<p>Черновик</p>"))


def test_an_estimate_runs_as_long_as_the_page_asks_for_news() -> None:
    assert not play.is_estimated(page_with('<section hx-get="/r/5/status/runs/">2 of 6</section>'))
    assert play.is_estimated(page_with("<section>6 of 6</section>"))


def test_the_answers_of_the_demo_make_a_request_that_can_be_sent() -> None:
    script = play.demo_script(Checkout())
    answers = script.answers
    evaluated = evaluate({key: RawAnswer(value=value) for key, value in answers.items()})
    assert [f"{p.key}: {p.message}" for p in evaluated.errors] == []
    assert set(answers) <= set(evaluated.answers), "an answer that nobody asks for"
    assert evaluated.gate.key == "continue"


PDF: dict[str, Any] = {
    "text": "ЗС-0001\nНе является коммерческим\nпредложением\nSYS-821GE-TNHR\nтребует подтверждения"
    " SYS-521GE-TNRT требует подтверждения",
    "attachments": ["result.json", "task.json"],
}


def test_the_pdf_is_read_back_with_both_part_numbers_and_their_states() -> None:
    assert play.read_back(PDF, "ЗС-0001", "ru") == [
        "SYS-521GE-TNRT (требует подтверждения)",
        "SYS-821GE-TNHR (требует подтверждения)",
    ]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"text": PDF["text"].replace("ЗС-0001", "ЗС-0002")}, "ЗС-0001"),
        ({"text": PDF["text"].replace("коммерческим", "публичным")}, "не является коммерческим"),
        ({"text": PDF["text"].replace("SYS-521GE-TNRT ", "SYS-521GE-TNRT, ")}, "two at least"),
        ({"attachments": ["task.json"]}, "attached"),
    ],
)
def test_what_a_pdf_lacks_is_named(broken: dict[str, Any], said: str) -> None:
    with pytest.raises(Unexpected, match=said):
        play.read_back(PDF | broken, "ЗС-0001", "ru")


def test_the_english_pdf_is_read_back_by_its_own_words() -> None:
    text = (
        "ЗС-0001 Not a commercial offer SYS-821GE-TNHR needs confirmation SYS-521GE-TNRT confirmed"
    )
    assert play.language_of(Path("ЗС-0001-A-en.pdf")) == "en"
    assert play.language_of(Path("ЗС-0001-A.pdf")) == "ru"
    assert play.read_back(PDF | {"text": text}, "ЗС-0001", "en") == [
        "SYS-521GE-TNRT (confirmed)",
        "SYS-821GE-TNHR (needs confirmation)",
    ]


def test_a_downloaded_file_is_named_by_its_header() -> None:
    quoted = "attachment; filename*=utf-8''%D0%97%D0%A1-0001-A.pdf"
    headers = {"content-type": "application/pdf", "content-disposition": quoted}
    page = read_page("http://127.0.0.1:1/documents/5/", 200, headers, b"%PDF-")
    assert page.file_name == "ЗС-0001-A.pdf"


DECISION = (
    '<form><input name="document_sha256" value="{sha}"><button name="decision">OK</button></form>'
)
LINK = '<a href="/documents/5/">PDF</a>'


def test_a_decision_waits_for_the_draft_and_a_failed_draft_is_not_waited_for() -> None:
    assert not play.has_draft(page_with(DECISION.format(sha="")))
    assert play.has_draft(page_with(LINK + DECISION.format(sha="ab12")))
    failed = (
        '<form method="post" action="/q/5/draft/"><button name="approval">Again</button></form>'
    )
    with pytest.raises(Unexpected, match="was not made"):
        play.has_draft(page_with(failed + DECISION.format(sha="")))


def test_the_final_document_comes_after_the_decision() -> None:
    assert not play.has_final(page_with(LINK + DECISION.format(sha="ab12")))
    assert not play.has_final(page_with("<p>being made</p>"))
    assert play.has_final(page_with(LINK))
