"""`manage.py import_config`: the contract other programs rely on."""

import io
import json

import pytest
from django.core.management import call_command
from django.utils import translation

from tests.configs.helpers import FIXTURES


def run(*files, form="json"):
    out = io.StringIO()
    call_command("import_config", *map(str, files), "--format", form, stdout=out)
    return out.getvalue()


def test_one_object_a_file_in_order_with_the_fields_of_the_contract():
    names = ["axolotl_qlora.yml", "deepspeed_zero3.json", "megatron.sh"]
    results = json.loads(run(*(FIXTURES / name for name in names)))
    assert [r["path"] for r in results] == [str(FIXTURES / name) for name in names]
    for result in results:
        assert set(result) == {"path", "format", "fields", "not_recognised", "ask"}
        assert all(set(field) == {"value", "origin"} for field in result["fields"].values())
    assert results[0]["fields"]["model"] == {"value": "acme/Tundra-13B", "origin": "file"}


def test_a_file_that_cannot_be_read_is_an_object_with_an_error_and_the_rest_goes_on(tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [1, 2", encoding="utf-8")
    results = json.loads(
        run(tmp_path / "nowhere", tmp_path, broken, FIXTURES / "peft_adapter.json")
    )
    assert [r.get("error", {}).get("code") for r in results] == [
        "unreadable",
        "unreadable",
        "bad-syntax",
        None,
    ]
    assert set(results[0]) == {"path", "error"}
    assert results[0]["error"]["message"]


@pytest.mark.parametrize("language", ["ru", "en"])
def test_text_for_people_names_fields_origins_and_what_to_ask(language):
    with translation.override(language):
        text = run(FIXTURES / "trl_minimal.yaml", FIXTURES / "nowhere.yaml", form="text")
    assert "acme/Brook-0.5B" in text
    assert "accelerator, gpus" in text
    assert "[unreadable]" in text


def test_a_file_larger_than_the_limit_is_not_read_whole(tmp_path):
    large = tmp_path / "large.yaml"
    with large.open("wb") as file:
        file.truncate(2**30)
    assert json.loads(run(large))[0]["error"]["code"] == "too-large"
