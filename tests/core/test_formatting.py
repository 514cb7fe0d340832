"""Numbers, ranges and dates as each language writes them."""

import datetime as dt
import math
from collections.abc import Callable

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from apps.core import formatting as f
from apps.core.units import UNITS
from apps.sizing.ranges import Range

NB, TH = f.NBSP, f.THIN
FINITE = st.floats(allow_nan=False, allow_infinity=False)
MODERATE = st.floats(-1e12, 1e12, allow_nan=False)

NUMBERS = [
    (0, "0", "0"),
    (8192, f"8{TH}192", "8,192"),
    (-1234567, f"−1{TH}234{TH}567", "−1,234,567"),
    (3.95, "3,95", "3.95"),
    (140.4, "140", "140"),
    (59.2, "59,2", "59.2"),
    (4.0, "4", "4"),
    (1234.5, f"1{TH}230", "1,230"),
    (0.00341, "0,00341", "0.00341"),
    (2.675, "2,68", "2.68"),
]


@pytest.mark.parametrize(("value", "russian", "english"), NUMBERS)
def test_a_number_reads_as_the_language_writes_it(value: float, russian: str, english: str) -> None:
    with translation.override("ru"):
        assert f.number(value) == russian
    with translation.override("en"):
        assert f.number(value) == english


RANGES: list[tuple[object, str, str, str]] = [
    ((42, 59.2, 67), "GiB", f"42{NB}–{NB}59{NB}–{NB}67{NB}ГиБ", f"42{NB}–{NB}59{NB}–{NB}67{NB}GiB"),
    (
        (3.4, 3.95, 4.3),
        "kW",
        f"3,40{NB}–{NB}3,95{NB}–{NB}4,30{NB}кВт",
        f"3.40{NB}–{NB}3.95{NB}–{NB}4.30{NB}kW",
    ),
    (
        (0.9, 1.0, 1.2),
        "TB",
        f"0,9{NB}–{NB}1,0{NB}–{NB}1,2{NB}ТБ",
        f"0.9{NB}–{NB}1.0{NB}–{NB}1.2{NB}TB",
    ),
    ((5, 53, 660), "h", f"5{NB}–{NB}53{NB}–{NB}660{NB}ч", f"5{NB}–{NB}53{NB}–{NB}660{NB}h"),
    ((7.5, 7.5, 7.5), "GiB", f"ровно 7,5{NB}ГиБ", f"exactly 7.5{NB}GiB"),
    ((59.19, 59.2, 59.21), "GiB", f"около 59,2{NB}ГиБ", f"about 59.2{NB}GiB"),
    (None, "h", "не указано", "not specified"),
    (
        (20e3, 30e3, 40e3),
        "GB",
        f"20{NB}–{NB}30{NB}–{NB}40{NB}ТБ",
        f"20{NB}–{NB}30{NB}–{NB}40{NB}TB",
    ),
    (
        (1e4, 3e4, 9e4),
        "h",
        f"14{NB}–{NB}41{NB}–{NB}120{NB}мес.",
        f"14{NB}–{NB}41{NB}–{NB}120{NB}months",
    ),
    (
        (400, 3e3, 9e4),
        "h",
        f"400{NB}–{NB}3\u202f000{NB}–{NB}90\u202f000{NB}ч",
        f"400{NB}–{NB}3,000{NB}–{NB}90,000{NB}h",
    ),
]


@pytest.mark.parametrize(("source", "unit", "russian", "english"), RANGES)
def test_a_range_is_rounded_alike_and_names_its_unit(
    source: object, unit: str, russian: str, english: str
) -> None:
    with translation.override("ru"):
        assert f.range_text(source, unit) == russian
    with translation.override("en"):
        assert f.range_text(source, unit) == english


ADAPTIVE: list[tuple[Callable[..., str], object, str, str]] = [
    (f.byte_size, 482e9, f"482{NB}ГБ", f"482{NB}GB"),
    (f.byte_size, 999.7e9, f"1{NB}ТБ", f"1{NB}TB"),
    (f.byte_size, 200_000_000_000, f"200{NB}ГБ", f"200{NB}GB"),
    (f.binary_size, 2**31, f"2{NB}ГиБ", f"2{NB}GiB"),
    (f.binary_size, 200e9, f"186{NB}ГиБ", f"186{NB}GiB"),
    (f.byte_size_both, 482e9, f"482{NB}ГБ (449{NB}ГиБ)", f"482{NB}GB (449{NB}GiB)"),
    (f.power, 350, f"350{NB}Вт", f"350{NB}W"),
    (f.power, 3950, f"3,95{NB}кВт", f"3.95{NB}kW"),
    (f.duration, 0.4, f"400{NB}мс", f"400{NB}ms"),
    (f.duration, 90, f"90{NB}с", f"90{NB}s"),
    (f.duration, 5400, f"90{NB}мин", f"90{NB}min"),
    (f.duration, 72 * 3600, f"72{NB}ч", f"72{NB}h"),
    (f.duration, 1e6, f"11,6{NB}дн.", f"11.6{NB}d"),
    (f.percent, 0.28, f"28{NB}%", "28%"),
    (f.percent, 0.2834, f"28{NB}%", "28%"),
    (f.percent, 0.00486, f"0,49{NB}%", "0.49%"),
    (f.percent, 0.0000018, f"менее 0,1{NB}%", "less than 0.1%"),
    (f.percent, 0, f"0{NB}%", "0%"),
    (f.percent, 1, f"100{NB}%", "100%"),
]


@pytest.mark.parametrize(("write", "value", "russian", "english"), ADAPTIVE)
def test_a_size_finds_the_unit_that_suits_it(
    write: Callable[..., str], value: object, russian: str, english: str
) -> None:
    with translation.override("ru"):
        assert write(value) == russian
    with translation.override("en"):
        assert write(value) == english


def test_decimal_and_binary_units_differ_by_name_and_by_figure() -> None:
    with translation.override("ru"):
        assert f.byte_size(2**40) == f"1,1{NB}ТБ"
        assert f.binary_size(2**40) == f"1{NB}ТиБ"


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "1 токен"),
        (8192, "8 192 токена"),
        (5, "5 токенов"),
        (21, "21 токен"),
        (682.7, "683 токена"),
    ],
)
def test_russian_counts_decline(count: float, words: str) -> None:
    with translation.override("ru"):
        assert f.quantity(count, "tokens").replace(NB, " ").replace(TH, " ") == words


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("unit", sorted(UNITS))
def test_every_unit_has_a_name_in_both_languages(language: str, unit: str) -> None:
    with translation.override(language):
        name = f.unit_name(unit, 5)
    assert name
    # What English says in words of its own, Russian must not repeat.
    if language == "ru" and unit not in {"U", "percent", "gpus"}:
        assert not name.isascii()


def test_dates_use_the_genitive_in_russian() -> None:
    moment = dt.datetime(2026, 11, 28, 18, 5)
    with translation.override("ru"):
        assert f.day(moment.date()) == f"28{NB}ноября{NB}2026"
        assert f.moment(moment) == f"28{NB}ноября{NB}2026, 18:05"
        assert f.short_moment(moment) == f"28{NB}ноября, 18:05"
    with translation.override("en"):
        assert f.day(moment.date()) == f"28{NB}November{NB}2026"
    assert f.clock(moment) == "18:05"


def test_an_aware_moment_is_shown_in_the_servers_time_zone() -> None:
    assert f.clock(dt.datetime(2026, 11, 28, 15, 0, tzinfo=dt.UTC)) == "18:00"


@pytest.mark.parametrize("language", ["ru", "en"])
@given(value=MODERATE)
def test_what_was_written_reads_back(language: str, value: float) -> None:
    with translation.override(language):
        assert f.parse_number(f.number(value, 6)) == pytest.approx(value, abs=6e-7, rel=1e-12)
        read = f.parse_number(f.number(value))
    assert math.isclose(read, value, rel_tol=5.1e-3, abs_tol=1e-300)


@given(value=FINITE)
def test_any_finite_number_can_be_written(value: float) -> None:
    assert f.number(value)
    assert f.approximate(value)


@given(low=MODERATE, first=st.floats(0, 1e12), second=st.floats(0, 1e12))
def test_the_ends_of_a_range_keep_their_order_as_text(
    low: float, first: float, second: float
) -> None:
    texts = f.range_texts((low, low + first, low + first + second))
    assert texts is not None
    read = [f.parse_number(text) for text in texts]
    assert read == sorted(read)


@pytest.mark.parametrize(
    "text", ["", "abc", "1,23,4", "1 2 3x", "--5", "1.2.3", "١٢", "1 2", "1,234 567"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with translation.override("en"), pytest.raises(ValueError, match="not a number"):
        f.parse_number(text)


@pytest.mark.parametrize(
    "source", [Range(1, 2, 3), {"low": 1, "typical": 2, "high": 3}, (1, 2, 3), [1, 2, 3]]
)
def test_a_range_may_come_in_four_shapes(source: object) -> None:
    assert f.range_values(source) == (1, 2, 3)


@pytest.mark.parametrize("source", ["1-2", 5, (1, 2)])
def test_what_is_no_range_is_refused(source: object) -> None:
    with pytest.raises(TypeError, match="not a range"):
        f.range_values(source)
