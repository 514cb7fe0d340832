"""A pasted report moves the figures over every accelerator, says so, and can be left out."""

import pytest
from django.test import Client

from apps.catalog.facts import fixture_catalog
from apps.sizing.estimators.memory import estimate_memory
from apps.sizing.task import Placement
from apps.tryout.recipe import task_document, task_of, typed_of
from tests.tryout.test_measured import FIELDS

pytestmark = [pytest.mark.django_db, pytest.mark.one_stack]
CARD = "A100-SXM4-80"
RECIPE = FIELDS | {"sequence_length": "2048", "micro_batch": "2"}


def post(**fields: str) -> str:
    response = Client(headers={"accept-language": "en"}).post("/try/", RECIPE | fields, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def summary(gib: float) -> str:
    """A summary of PyTorch with this peak of tensors."""
    line = f"|{{:^23}}| {gib:.2f} GiB | {gib:.2f} GiB | 99.00 GiB | 99.00 GiB |"
    return "\n".join(
        [
            "|  PyTorch CUDA memory summary, device ID 0  |",
            line.format("Allocated memory"),
            line.format("GPU reserved memory"),
        ]
    )


@pytest.fixture(scope="module")
def said():
    """What the engine says of the tensors on one A100."""
    task = task_of(task_document(typed_of(RECIPE)))
    place = Placement(accelerator=CARD, gpus=1, data_parallel="none")
    return estimate_memory(task, fixture_catalog(), place).allocated_gib


def rows(html: str) -> str:
    return html.split('id="h-cards"', 1)[1].split("</table>", 1)[0]


def test_the_figures_follow_a_report_and_say_so(said):
    html = post(report=summary(said.typical * 1.03), card=CARD)
    assert "The figures below follow your report" in html
    assert "A measurement is taken into account" in html
    assert rows(html) != rows(post())


def test_the_switch_shows_them_without_it_and_back(said):
    text = summary(said.typical * 1.03)
    html = post(report=text, card=CARD, plain="1")
    assert "The figures below are without your report" in html
    assert rows(html) == rows(post())
    form = html.split('id="measured"', 1)[1].split("</form>", 1)[0]
    assert f'name="card" value="{CARD}"' in form
    assert "PyTorch CUDA memory summary" in form
    assert 'name="plain"' not in form  # leads back


def test_a_bound_below_the_estimate_changes_nothing(said):
    small = (
        f"CUDA out of memory. Tried to allocate 1.00 GiB. Of the allocated memory "
        f"{said.low * 0.5:.2f} GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch "
        "but unallocated."
    )
    html = post(report=small, card=CARD)
    assert "Your report changes nothing in the figures below" in html
    assert rows(html) == rows(post())


def test_what_cannot_be_is_said_and_not_counted(said):
    html = post(report=summary(200), card=CARD)
    assert "cannot be of this recipe on this card" in html
    assert rows(html) == rows(post())


def test_without_a_known_card_nothing_is_claimed(said):
    html = post(report=summary(said.typical))
    assert 'id="measured"' not in html
    assert "choose it beside the text" in html
