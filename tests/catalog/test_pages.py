"""The catalog's pages: open to everybody, every fact with its source, never a price."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from apps.accounts.models import Role
from apps.catalog import freshness, services
from apps.catalog.fact_specs import SPECS
from apps.catalog.facts import fixture_document
from apps.catalog.labels import FACTS, UNITS, WORDS
from apps.catalog.layout import COLUMNS, GROUPS, IN_SHORT, ORDERS
from apps.catalog.models import HARDWARE, Fact, Item
from apps.catalog.values import value_text
from apps.core.formatting import NBSP
from tests.factories import make_client, make_user

PARTS = ("servers", "accelerators", "cpus", "nics", "drives", "dimms")
ROWS = [row for part in PARTS for row in fixture_document()[part]]
PRICE = re.compile(r"price|cost|usd|eur|rub|цен[аыу]\b|стоимост", re.IGNORECASE)


def page(client, address, language="ru"):
    response = client.get(address, headers={"accept-language": language})
    assert response.status_code == 200, address
    return response.content.decode()


@pytest.mark.usefixtures("stocked")
def test_everybody_reads_it_and_nobody_writes_it(client):
    for person in (None, make_client(), make_user(Role.ENGINEER)):
        if person:
            client.force_login(person)
        for address in ("/catalog/", "/catalog/SYS-821GE-TNHR/", "/catalog/compare/"):
            assert client.get(address).status_code == 200
            assert client.post(address).status_code == 405
    assert client.get("/catalog/NO-SUCH-SKU/").status_code == 404


@pytest.mark.usefixtures("stocked")
@pytest.mark.one_stack
def test_every_item_has_a_card_in_both_languages(client):
    for item in Item.objects.filter(kind__in=HARDWARE):
        for language in ("ru", "en"):
            text = page(client, f"/catalog/{item.slug}/", language)
            assert item.name in text
            assert "{{" not in text


@pytest.mark.usefixtures("stocked")
@pytest.mark.one_stack
def test_a_card_shows_facts_with_source_date_trust_and_contradiction(client):
    text = page(client, "/catalog/SYS-521GE-TNRT/")
    for part in (
        "Высота в стойке",
        f"5{NBSP}U",
        "30.11.2026",
        "паспорт изготовителя",
        "H200-NVL-141",
        "требует подтверждения",
        f"<s>3{chr(0x202F)}000{NBSP}Вт</s>",
        "В таблице 2025 года 4 × 3000 Вт",
        'lang="en"',
    ):
        assert part in text, part


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (989.5, "TFLOP/s", f"989,5{NBSP}Тфлоп/с"),
        (1307.4, "TFLOP/s", f"1{chr(0x202F)}307,4{NBSP}Тфлоп/с"),
        (0.00003, "ratio", "0,00003"),
        (8, "U", f"8{NBSP}U"),
        (80.0, "GB", f"80{NBSP}ГБ"),
        ([1, 2, 3, 4, 8, 10, 11], "GPU", "1–4, 8, 10, 11"),
        ({"2": 8, "1": 10}, "GPU by slot width", "10 шириной 1, 8 шириной 2"),
        (False, "flag", "нет"),
    ],
)
def test_a_figure_is_shown_with_every_digit_it_has(value, unit, shown):
    with translation.override("ru"):
        assert value_text(value, unit) == shown


@pytest.mark.usefixtures("stocked")
@pytest.mark.one_stack
def test_what_nobody_measured_says_so_and_what_was_measured_does_not(client):
    label = "не проверено на измерениях"
    for slug in ("AS-8125GS-TNMR2", "MI300X", "RTX-4090", "B300", "H200-NVL-141"):
        assert label in page(client, f"/catalog/{slug}/"), slug
    for slug in ("SYS-821GE-TNHR", "SYS-521GE-TNRT", "H100-SXM5-80", "L40S", "8480+", "B3220"):
        assert label not in page(client, f"/catalog/{slug}/"), slug


@pytest.mark.usefixtures("stocked")
@pytest.mark.one_stack
def test_only_an_old_fact_is_flagged(client, monkeypatch):
    flag = f"старше 180{NBSP}дней"
    assert flag not in page(client, "/catalog/L4/")
    later = timezone.localdate() + timedelta(days=181)
    monkeypatch.setattr(freshness.timezone, "localdate", lambda: later)
    assert flag in page(client, "/catalog/L4/")


@pytest.mark.usefixtures("stocked")
def test_a_module_and_a_card_never_stand_in_each_others_server(client):
    hgx, pcie = page(client, "/catalog/SYS-821GE-TNHR/"), page(client, "/catalog/SYS-521GE-TNRT/")
    assert 'href="/catalog/H200-SXM-141/"' in hgx
    assert 'href="/catalog/H200-NVL-141/"' not in hgx
    assert 'href="/catalog/H200-NVL-141/"' in pcie
    assert 'href="/catalog/H200-SXM-141/"' not in pcie
    assert "на одной плате, число модулей: 8" in hgx
    assert "мосты NVLink соединяют 4" in pcie
    assert 'href="/catalog/SYS-521GE-TNRT/"' in page(client, "/catalog/H200-NVL-141/")
    assert "не в перечне изготовителя" in page(client, "/catalog/H100-PCIE-80/")


@pytest.mark.usefixtures("stocked")
def test_where_it_is_used_is_for_staff_only(client):
    calculations = ("a" * 32, "b" * 32)
    for calculation in calculations:
        services.uses_store(calculation=calculation, slugs=["L4"])
        services.uses_store(calculation=calculation, slugs=["L4", "L40S"])
    assert "Где используется" not in page(client, "/catalog/L4/")
    client.force_login(make_client())
    assert "Где используется" not in page(client, "/catalog/L4/")
    client.force_login(make_user(Role.ENGINEER))
    assert f"Упоминается в{NBSP}2{NBSP}оценках" in page(client, "/catalog/L4/")


@pytest.mark.usefixtures("stocked")
def test_a_retired_item_keeps_its_card_and_leaves_the_list(client):
    Item.objects.filter(slug="L4").update(retired=True)
    assert "больше нет в каталоге" in page(client, "/catalog/L4/")
    assert "/catalog/L4/" not in page(client, "/catalog/?kind=accelerator&search=L4")


@pytest.mark.usefixtures("stocked")
def test_the_number_of_questions_to_the_database_does_not_grow(
    client, django_assert_max_num_queries
):
    for address, most in (
        ("/catalog/", 6),
        ("/catalog/?kind=server&gpus=8&sort=height", 6),
        ("/catalog/SYS-821GE-TNHR/", 4),
        ("/catalog/compare/?item=SYS-821GE-TNHR&item=SYS-521GE-TNRT", 4),
    ):
        client.get(address)  # the options of the filters are asked for once a release
        with django_assert_max_num_queries(most):
            client.get(address)


@pytest.mark.usefixtures("stocked")
@pytest.mark.one_stack
def test_no_price_anywhere(client):
    assert not any(PRICE.search(key) for specs, _required in SPECS.values() for key in specs)
    for model in (Item, Fact):
        assert not any(PRICE.search(field.name) for field in model._meta.get_fields())
    rows = json.loads(page(client, "/catalog/export/json/"))
    assert len(rows) == len(ROWS)
    assert not any(PRICE.search(fact["key"]) for row in rows for fact in row["facts"])
    assert not PRICE.search(page(client, "/catalog/export/csv/").splitlines()[0])


def test_every_fact_word_and_unit_is_named_and_no_name_is_left_over():
    facts = [fact for row in ROWS for fact in row["facts"]]
    keys = {fact["key"] for fact in facts}
    words = {fact["value"] for fact in facts if isinstance(fact["value"], str)}
    forms = {row.get("form_factor") for row in ROWS}
    assert set(FACTS) == keys
    assert set(UNITS) <= {fact["unit"] for fact in facts}
    assert set(WORDS) <= words | forms


def test_every_fact_of_a_kind_stands_in_the_layout():
    for kind, (specs, _required) in SPECS.items():
        grouped = [key for _title, keys in GROUPS[kind] for key in keys]
        assert len(grouped) == len(set(grouped))
        assert not grouped or set(grouped) == set(specs), kind
        ordered = {order.fact for order in ORDERS[kind] if order.fact}
        assert {*COLUMNS[kind], *IN_SHORT[kind], *ordered} <= set(specs)


def test_every_note_and_every_text_has_its_russian():
    for row in ROWS:
        for fact in row["facts"]:
            where = f"{row['slug']} {fact['key']}"
            assert bool(fact.get("note")) == bool(fact.get("note_ru")), where
            if fact["unit"] in {"text", "texts"}:
                assert fact.get("value_ru"), where
            if isinstance(fact["value"], str) and " " in fact["value"].replace("x4", ""):
                assert "value_ru" in fact or fact["key"] in {"host_link", "memory_type"}, where
