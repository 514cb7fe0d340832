"""What is handed out for spreadsheets stays text there."""

import csv
import io

import pytest

from apps.core.prices import names_a_price
from apps.core.spreadsheets import csv_text, safe_cell


@pytest.mark.parametrize("text", ["=1+1", "+7 (812) 1", "-1+2", "@SUM(A1)", "\t=1", "\r=1"])
def test_nothing_becomes_a_formula(text):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "8 × H200", "-5", "+0.5", "-1,5", "a=b"])
def test_what_is_harmless_stays_as_it_is(text):
    assert safe_cell(text) == text


def test_a_table_is_read_back_with_its_russian_commas_and_lines():
    rows = [["имя", "значение"], ["a,b", "строка\nвторая"]]
    text = csv_text(rows)
    assert text.startswith("\ufeff")
    assert list(csv.reader(io.StringIO(text.removeprefix("\ufeff")))) == rows


@pytest.mark.parametrize("text", ["1 200 ₽", "$5", "10 тыс. руб.", "12 USD", "3 млн руб"])
def test_an_amount_of_money_is_noticed(text):
    assert names_a_price(text)


@pytest.mark.parametrize("text", ["8 × H200", "200 ГБ", "рубеж 12", "5 кВт", ""])
def test_figures_are_no_prices(text):
    assert not names_a_price(text)
