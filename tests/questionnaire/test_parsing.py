"""Answers are read as people write them, and nothing is guessed."""

import re
from datetime import date

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from apps.core import formatting
from apps.questionnaire.echo import echo
from apps.questionnaire.errors import ParseError
from apps.questionnaire.parsing import parse
from apps.questionnaire.question import UNKNOWN, Kind, Question
from apps.questionnaire.sections import QUESTIONS

NBSP, THIN, NARROW = "\u00a0", "\u2009", "\u202f"
TB, GB = 10**12, 10**9

READ = [
    ("dataset_bytes", "200 ГБ", 200 * GB),
    ("dataset_bytes", "0,2 ТБ", 200 * GB),
    ("dataset_bytes", "1,5 ТБ", 1500 * GB),
    ("dataset_bytes", "1.5 TB", 1500 * GB),
    ("dataset_bytes", f"1{NBSP}500{NBSP}ГБ", 1500 * GB),
    ("dataset_bytes", "200", 200 * GB),
    ("dataset_bytes", "200гб", 200 * GB),
    ("dataset_bytes", "200 Гб.", 200 * GB),
    ("dataset_bytes", "186 ГиБ", 186 * 2**30),
    ("dataset_bytes", "1 TiB", 2**40),
    ("dataset_bytes", "512 MiB", 512 * 2**20),
    ("dataset_bytes", "~200 ГБ", 200 * GB),
    ("dataset_bytes", "около 200 ГБ", 200 * GB),
    ("params", "7 млрд", 7_000_000_000),
    ("params", "8B", 8_000_000_000),
    ("params", "8b", 8_000_000_000),
    ("params", "7000M", 7_000_000_000),
    ("params", "0,5 млрд. параметров", 500_000_000),
    ("params", "8,03 billion", 8_030_000_000),
    ("params", "350 million parameters", 350_000_000),
    ("params", "8 030 261 248", 8_030_261_248),
    ("params", "8,030,261,248", 8_030_261_248),
    ("params", "8.030.261.248", 8_030_261_248),
    ("params", "1,2 трлн", 1_200_000_000_000),
    ("tokens", "1.2T tokens", 1_200_000_000_000),
    ("tokens", "500 тыс.", 500_000),
    ("sequence_length", "8192", 8192),
    ("sequence_length", "8 192 токена", 8192),
    ("sequence_length", f"8{NARROW}192", 8192),
    ("sequence_length", f"8{THIN}192", 8192),
    ("sequence_length", "1,500", 1500),
    ("sequence_length", "1.500", 1500),
    ("sequence_length", "8,192 tokens", 8192),
    ("sequence_length", "32.000", 32000),
    ("params", "125,000", 125_000),
    ("average_length", "900,5", 900.5),
    ("growth", "0,500", 0.5),
    ("average_length", "1 234,56", 1234.56),
    ("average_length", "1,234.56", 1234.56),
    ("average_length", "1.234,56", 1234.56),
    ("average_length", "1234,567", 1234.567),
    ("target_time", "3 дня", 72),
    ("target_time", "72 ч", 72),
    ("target_time", "72", 72),
    ("target_time", "2 недели", 336),
    ("target_time", "1,5 суток", 36),
    ("target_time", "90 мин", 1.5),
    ("target_time", "1 день 12 часов", 36),
    ("target_time", "1 day and 6 h", 30),
    ("rent_period", "1 месяц", 720),
    ("rent_period", "1", 720),
    ("cycle_every", "2", 48),
    ("kw_usable", "7,5 кВт", 7.5),
    ("kw_usable", "7500 Вт", 7.5),
    ("kw_usable", "5", 5),
    ("depth_mm", "1,2 м", 1200),
    ("depth_mm", "100 см", 1000),
    ("depth_mm", "1000", 1000),
    ("floor_kg", "1,5 т", 1500),
    ("cycle_share", "20 %", 20),
    ("cycle_share", "12,5%", 12.5),
    ("rack_units", "42U", 42),
    ("image_size", "640 px", 640),
    ("image_size", "224×224", 224),
    ("image_size", "1024x1024 px", 1024),
    ("growth", "2 раза", 2),
    ("runs_per_quarter", "0", 0),
    ("wanted_date", "15.12.2026", date(2026, 12, 15)),
    ("wanted_date", "2026-12-15", date(2026, 12, 15)),
    ("wanted_date", "15 декабря 2026 г.", date(2026, 12, 15)),
    ("wanted_date", "15 мая 2027", date(2027, 5, 15)),
    ("wanted_date", "15 Dec 2026", date(2026, 12, 15)),
    ("wanted_date", "December 15, 2026", date(2026, 12, 15)),
    ("wanted_date", "15/12/2026", date(2026, 12, 15)),
    ("wanted_date", "12/15/2026", date(2026, 12, 15)),
    ("purpose", "behaviour", "behaviour"),
    ("weights_change", "yes", True),
    ("weights_change", "no", False),
    ("budget", "до 600 тыс. ₽ с НДС", "до 600 тыс. ₽ с НДС"),
    ("contact_email", " anna@company.ru ", "anna@company.ru"),
    ("business_task", "a\r\nb", "a\nb"),
    ("sku", "  SYS-821GE-TNHR \n", "SYS-821GE-TNHR"),
]

REFUSED = [
    ("dataset_bytes", "1,500 ГБ", "Write the one you mean"),
    ("params", "1,500 млрд", "Write the one you mean"),
    ("tokens", "1.500B", "Write the one you mean"),
    ("sequence_length", "1,50", "whole number"),
    ("sequence_length", "0,500", "whole number"),
    ("sequence_length", "8k", "in full"),
    ("sequence_length", "１２", "ordinary digits"),
    ("sequence_length", "1_000", "not understood"),
    ("sequence_length", "NaN", "ordinary digits"),
    ("sequence_length", "inf", "ordinary digits"),
    ("sequence_length", "1e9", "without an exponent"),
    ("params", "1Е9", "without an exponent"),
    ("sequence_length", "-5", "negative"),
    ("sequence_length", "\u2212" + "5", "negative"),
    ("sequence_length", "-0", "at least"),
    ("sequence_length", "0", "at least"),
    ("sequence_length", "8192,5", "whole number"),
    ("sequence_length", "8 19 2", "ordinary digits"),
    ("sequence_length", "2-3", "one number"),
    ("target_time", "2–3 недели", "one number"),
    ("sequence_length", "много", "ordinary digits"),
    ("sequence_length", "8192 попугаев", "not understood"),
    ("sequence_length", "9" * 65, "too long"),
    ("sequence_length", "9" * 60, "at most"),
    ("dataset_bytes", "200 Гбит", "bits"),
    ("dataset_bytes", "100 Mbit/s", "bits"),
    ("dataset_bytes", "200G", "unit in full"),
    ("dataset_bytes", "200 попугаев", "not understood"),
    ("dataset_bytes", "0,1 байт", "at least"),
    ("growth", "в 2 раза", "ordinary digits"),
    ("kw_usable", "10 кВА", "kVA is not kW"),
    ("target_time", "3 попугая", "not understood"),
    ("target_time", "100000 лет", "at most"),
    ("cycle_share", "120 %", "at most"),
    ("image_size", "640x480", "longer side"),
    ("wanted_date", "15.12.26", "four digits"),
    ("wanted_date", "15 декабря", "four digits"),
    ("wanted_date", "05/06/2026", "cannot be told apart"),
    ("wanted_date", "31.02.2027", "no such day"),
    ("wanted_date", "15 нисана 2026", "not a month"),
    ("wanted_date", "завтра", "Write a day"),
    ("wanted_date", "15.12.1926", "between"),
    ("purpose", "no-such", "Choose one"),
    ("weights_change", "maybe", "Choose"),
    ("contact_email", "anna", "e-mail"),
    ("contact_email", "a@b.ru, c@d.ru", "e-mail"),
    ("sku", "x" * 201, "Shorten"),
    ("business_task", "x" * 4001, "Shorten"),
    ("business_task", "x" * 1_000_000, "Shorten"),
    ("business_task", "a\0b", "control character"),
    ("sku", "a\x1bb", "control character"),
    ("sequence_length", "8192\0", "control character"),
    ("business_task", "\ud800", "control character"),
]


@pytest.fixture(params=["ru", "en"])
def language(request: pytest.FixtureRequest):
    with translation.override(request.param):
        yield request.param


@pytest.mark.parametrize(("key", "text", "meaning"), READ)
def test_it_reads_what_people_write_alike_in_both_languages(language, key, text, meaning):
    value = parse(QUESTIONS[key], text)
    assert value == meaning
    assert type(value) is type(meaning)


@pytest.mark.parametrize(("key", "text", "said"), REFUSED)
def test_it_refuses_with_words_that_say_how_to_mend_it(key, text, said):
    with pytest.raises(ParseError) as refusal:
        parse(QUESTIONS[key], text)
    assert said in str(refusal.value)


WHOLE = [
    question.key
    for question in QUESTIONS.values()
    if question.kind in (Kind.NUMBER, Kind.COUNT)
    and question.limits.whole
    and question.limits.high >= 1500
]


@pytest.mark.parametrize("key", WHOLE)
def test_a_whole_number_with_one_mark_has_one_reading_and_says_it(language, key):
    """Every question that takes whole numbers only; what was understood stands beside the field."""
    question = QUESTIONS[key]
    for typed in ("1,500", "1.500"):
        assert parse(question, typed) == 1500
    said = echo(question, 1500).replace("\u00a0", "")
    assert re.search(r"1[,\s]?500", said)


def test_an_ambiguous_number_is_asked_back_with_both_readings():
    with pytest.raises(ParseError) as refusal:
        parse(QUESTIONS["average_length"], "1,500")
    assert "1500" in str(refusal.value)
    assert "1.5" in str(refusal.value)


@pytest.mark.parametrize("suggested", ["8192", "8,1920"])
def test_what_an_ambiguous_answer_is_told_to_write_is_understood(suggested):
    question = QUESTIONS["average_length"]
    with translation.override("ru"), pytest.raises(ParseError) as refusal:
        parse(question, "8,192")
    with translation.override("ru"):
        assert suggested in str(refusal.value)
    assert parse(question, suggested) in (8192, 8.192)


@pytest.mark.parametrize("key", sorted(QUESTIONS))
@pytest.mark.parametrize("blank", ["", "  ", "\n\t", NBSP])
def test_a_blank_answer_is_no_answer_and_no_error(key, blank):
    assert parse(QUESTIONS[key], blank) is None


@pytest.mark.parametrize("key", sorted(QUESTIONS))
def test_every_example_is_understood_by_its_own_question(language, key):
    for example in QUESTIONS[key].examples:
        assert parse(QUESTIONS[key], str(example)) is not None


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=lambda q: q.key)
def test_every_option_and_typical_value_is_understood(question: Question):
    values = [o.value for o in question.options]
    if question.typical:
        values.append(question.typical.value)
    for value in values:
        assert parse(question, value) is not None
    assert question.option(UNKNOWN) is None


@given(st.sampled_from(sorted(QUESTIONS)), st.text(max_size=300))
def test_nothing_but_a_parse_error_ever_comes_out(key, text):
    try:
        value = parse(QUESTIONS[key], text)
    except ParseError:
        return
    assert value is None or isinstance(value, str | bool | int | float | date | tuple)


@given(
    st.sampled_from([q.key for q in QUESTIONS.values() if q.numeric]),
    st.text(alphabet="0123456789.,- \u00a0eкмГБ%/x×", max_size=40),
)
def test_a_number_that_is_understood_lies_within_its_limits(key, text):
    question = QUESTIONS[key]
    try:
        value = parse(question, text)
    except ParseError:
        return
    if value is not None:
        assert isinstance(value, int | float)
        assert question.limits.low <= value <= question.limits.high


@given(st.integers(1, 10**14))
def test_a_size_comes_back_from_its_own_text(size_bytes):
    with translation.override("ru"):
        text = f"{formatting.number(size_bytes)} байт"
        assert parse(QUESTIONS["dataset_bytes"], text) == size_bytes


@given(st.integers(1, 10**7), st.integers(0, 99))
def test_a_number_comes_back_from_its_own_russian_text(whole, hundredths):
    value = whole + hundredths / 100
    with translation.override("ru"):
        read = parse(QUESTIONS["average_length"], formatting.number(value, 2))
    assert read == pytest.approx(value)


def test_several_choices_come_back_in_the_order_of_the_options():
    question = Question(
        key="several",
        name="",
        kind=Kind.MULTI,
        label="",
        hint="",
        why="",
        influences=(),
        options=QUESTIONS["data_kind"].options,
    )
    assert parse(question, ["video", "text", ""]) == ("text", "video")
    with pytest.raises(ParseError):
        parse(question, ["video", "no-such"])
    assert parse(question, []) is None


@pytest.mark.parametrize(
    ("typed", "heaviest"),
    [("20 %; 35 %; 100 %", 100), ("12,5", 12.5), ("20, 35", 35), ("20 % и 35 %", 35), ("40%", 40)],
)
def test_of_several_cycles_the_heaviest_counts(typed, heaviest):
    assert parse(QUESTIONS["cycle_share"], typed) == heaviest


@pytest.mark.parametrize("typed", ["20 %; много", ";;", "20 %; 140 %"])
def test_a_list_is_read_whole_or_not_at_all(typed):
    with pytest.raises(ParseError):
        parse(QUESTIONS["cycle_share"], typed)
