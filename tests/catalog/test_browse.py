"""Lists of the catalog: filters, search in both alphabets, orders, pages, comparison, files."""

import csv
import io
import re

import pytest

from apps.catalog import services
from apps.catalog.exports import as_csv
from apps.catalog.models import Fact, Item
from apps.core.searching import folded, search_words

pytestmark = pytest.mark.usefixtures("stocked")

LINK = re.compile(r'class="rowlink" href="/catalog/([^"]+)/"')


def slugs(client, query):
    response = client.get(f"/catalog/?{query}")
    assert response.status_code == 200
    return LINK.findall(response.content.decode())


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        ("kind=server&form=sxm", "SYS-821GE-TNHR", "SYS-521GE-TNRT"),
        ("kind=server&form=oam", "AS-8125GS-TNMR2", "SYS-821GE-TNHR"),
        ("kind=server&gpus=4", "SYS-521GE-TNRT", "SYS-821GE-TNHR"),
        ("kind=server&cooling=liquid", "SYS-421GE-TNHR2-LCC", "SYS-821GE-TNHR"),
        ("kind=server&memory=180", "SYS-822GS-NBRT", "SYS-821GE-TNHR"),
        ("kind=server&link=nvlink-bridge", "SYS-521GE-TNRT", "SYS-821GE-TNHR"),
        ("kind=server&availability=legacy", "SYS-420GP-TNR", "SYS-821GE-TNHR"),
        ("kind=server&vendor=Dell", "DELL-XE9680", "SYS-821GE-TNHR"),
        ("kind=server&socket=SP5", "AS-8125GS-TNHR", "SYS-821GE-TNHR"),
        ("kind=accelerator&form=nvl", "H200-NVL-141", "H200-SXM-141"),
        ("kind=accelerator&memory=141", "H200-NVL-141", "H100-SXM5-80"),
        ("kind=accelerator&vendor=AMD", "MI300X", "B200"),
        ("kind=cpu&socket=SP5", "EPYC-9654", "8480+"),
        ("kind=nic&host=PCIe+6.0+x16", "C8180", "B3220"),
        ("kind=drive&host=PCIe+4.0+x4", "PM9A3", "CM7-R"),
        ("kind=server&form=sxm&cooling=liquid&memory=180", "SYS-422GS-NBRT-LCC", "SYS-822GS-NBRT"),
    ],
)
def test_a_filter_keeps_what_it_says(client, query, inside, outside):
    assert outside in slugs(client, query.split("&", maxsplit=1)[0])
    found = slugs(client, query)
    assert inside in found
    assert outside not in found


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("821ge", "SYS-821GE-TNHR"),
        ("SYS821GE", "SYS-821GE-TNHR"),
        ("супермикро 521", "SYS-521GE-TNRT"),
        ("СУПЕРМИКРО 521", "SYS-521GE-TNRT"),
        ("h200 nvl", "H200-NVL-141"),
        ("Н200 NVL", "H200-NVL-141"),  # the first letter is Cyrillic
        ("видеокарта А100 80", "A100-PCIE-80"),  # so is the А
        ("накопитель самсунг", "PM9A3"),
        ("жидкостное охлаждение", "SYS-421GE-TNHR2-LCC"),
        ("сетевой адаптер bluefield", "B3140H"),
    ],
)
def test_search_reads_both_alphabets_in_any_case(client, words, first):
    assert slugs(client, f"search={words}")[0] == first


def test_ye_and_yo_are_one_letter():
    assert folded("Чётный  ЁЖ") == "четный еж"
    assert search_words("мёд\x00\t\n ёж") == ["мед", "еж"]


def test_only_words_with_a_digit_take_latin_for_look_alikes():
    assert folded("Н100 НВМ") == "h100 нвм"


@pytest.mark.parametrize(
    ("query", "slow", "fast"),
    [
        ("kind=accelerator&sort=rate", "L4", "B300"),
        ("kind=accelerator&sort=memory", "RTX-3090", "B300"),
        ("kind=server&sort=height", "SYS-822GS-NBRT", "SYS-521GE-TNRT"),
        ("kind=drive&sort=read", "PM9A3", "CM7-R"),
        ("kind=cpu&sort=cores", "8462Y+", "6960P"),
    ],
)
def test_an_order_puts_the_unknown_last(client, query, slow, fast):
    found = slugs(client, query)
    assert found.index(fast) < (found.index(slow) if slow in found else len(found))
    if "drive" in query:
        assert found[-1] == "7450-PRO"  # its speed was not found


def test_pages_keep_the_filters_and_a_page_that_is_not_there_is_the_nearest(client):
    first, last = slugs(client, ""), slugs(client, "page=99")
    assert len(first) == 25
    assert not set(first) & set(last)
    text = client.get("/catalog/?kind=accelerator&sort=name&page=1").content.decode()
    assert "?kind=accelerator&amp;sort=name&amp;page=2" in text


def test_nothing_found_leads_back(client):
    text = client.get("/catalog/?kind=server&search=нет+такого").content.decode()
    assert "Ничего не нашлось" in text
    assert 'href="/catalog/"' in text


@pytest.mark.parametrize(
    "query",
    [
        "kind=<b>&search=<script>alert(1)</script>",
        "kind=server&form=' OR 1=1 --&gpus=%00&memory=nan&memory=1e999&sort=pk",
        "search=%00%ff%fe&page=-1",
        "search=" + "x" * 5000,
        "search=%25_%25&kind=constant",
        "item=" + "&item=".join(["../../etc", "%00", "A" * 300, "SYS-821GE-TNHR"] * 30),
        "gpus=1|2&link=%7C&vendor=%D0%A9",
    ],
)
def test_hostile_addresses_are_harmless(client, query):
    for address in ("/catalog/", "/catalog/compare/", "/catalog/export/csv/"):
        response = client.get(f"{address}?{query}")
        assert response.status_code == 200
        assert b"<script>alert" not in response.content


def test_a_constant_is_no_item_of_the_catalog(client):
    assert "power.fan_share" not in slugs(client, "search=fan_share")
    assert client.get("/catalog/power.fan_share/").status_code == 404
    assert client.get("/catalog/%00/").status_code == 404


def compared(client, *items, only=False):
    query = "&".join(f"item={item}" for item in items) + ("&only=differing" if only else "")
    return client.get(f"/catalog/compare/?{query}").content.decode()


def test_a_comparison_names_what_differs_and_where_it_is_from(client):
    text = compared(client, "SYS-821GE-TNHR", "SYS-521GE-TNRT", "SYS-421GU-TNXR")
    row = re.search(r"<tr[^>]*>\s*<th[^>]*>Высота в стойке.*?</tr>", text, re.DOTALL).group()
    assert "различается" in row
    assert row.count("<b>") == 3
    same = re.search(r"<tr[^>]*>\s*<th[^>]*>Процессоры.*?</tr>", text, re.DOTALL).group()
    assert "различается" not in same
    assert "<b>" not in same
    assert "не указано" in text
    notes = {int(n) for n in re.findall(r'href="#s(\d+)"', text)}
    assert notes == {int(n) for n in re.findall(r'<li id="s(\d+)"', text)}


def test_only_the_differences_may_be_shown(client):
    pair = ("SYS-821GE-TNHR", "SYS-521GE-TNRT")
    assert ">Охлаждение" in compared(client, *pair)
    assert ">Охлаждение" not in compared(client, *pair, only=True)
    assert ">Высота в стойке" in compared(client, *pair, only=True)


def test_a_comparison_takes_one_kind_and_four_at_most(client):
    text = compared(client, "L4", "L40S", "SYS-821GE-TNHR", "NO-SUCH", "A10", "L40", "B200")
    head = re.search(r"<thead>.*?</thead>", text, re.DOTALL).group()
    assert re.findall(r"/catalog/([^/]+)/", head) == ["L4", "L40S", "A10", "L40"]
    for left in ("SYS-821GE-TNHR", "B200", "NO-SUCH"):
        assert left in text
    for few in ((), ("L4",), ("L4", "L4"), ("L4", "SYS-821GE-TNHR")):
        assert "Нечего сравнивать" in compared(client, *few)


def test_ticks_stay_from_page_to_page(client):
    text = client.get("/catalog/?item=L4&page=1").content.decode()
    assert 'value="L4" checked' in text
    assert "item=L4&amp;page=2" in text


def test_a_file_holds_the_filtered_list_and_no_formula(client):
    Fact.objects.filter(item__slug="MI300X").update(source="=HYPERLINK(1)")
    response = client.get("/catalog/export/csv/?kind=accelerator&vendor=AMD")
    assert response["Content-Disposition"] == 'attachment; filename="catalog.csv"'
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert {row["slug"] for row in rows} == {"MI300X", "MI325X"}
    assert {row["source"] for row in rows if row["slug"] == "MI300X"} == {"'=HYPERLINK(1)"}
    assert len(as_csv(Item.objects.none())) > 1
    assert client.get("/catalog/export/xls/").status_code == 404


def test_a_search_word_is_data(client):
    words = services.fixture_document()["search_words"]
    assert "Супермикро" in words["vendors"]["Supermicro"]
    vendors = set(Item.objects.exclude(vendor="").values_list("vendor", flat=True))
    assert set(words["vendors"]) == vendors
