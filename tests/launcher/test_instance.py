"""Two instances never share a data folder, and a killed one does not block the next."""

import os
import subprocess
import sys

import pytest

from config.launcher import instance
from config.launcher.layout import ROOT, DataFolder
from config.launcher.texts import Problem

CLAIM_AND_DIE = """
import os, sys
from pathlib import Path
from config.launcher import instance
from config.launcher.layout import DataFolder
instance.claim(DataFolder(path=Path(sys.argv[1]))).record("http://127.0.0.1:1")
os._exit(9)
"""


def test_a_second_instance_is_told_where_the_first_one_is(data: DataFolder) -> None:
    first = instance.claim(data)
    first.record("http://127.0.0.1:8000")
    with pytest.raises(Problem, match=r"http://127\.0\.0\.1:8000") as caught:
        instance.claim(data)
    assert caught.value.remedy == f"kill {os.getpid()}"
    assert instance.is_running(data)
    first.release()


def test_a_released_folder_can_be_claimed_again(data: DataFolder) -> None:
    first = instance.claim(data)
    first.record("http://127.0.0.1:8000")
    first.release()
    assert not instance.is_running(data)
    second = instance.claim(data)
    assert not second.was_killed
    second.release()


def test_a_killed_instance_frees_the_folder_and_is_noticed(data: DataFolder) -> None:
    subprocess.run(
        [sys.executable, "-c", CLAIM_AND_DIE, str(data.path)], cwd=ROOT, check=False, timeout=30
    )
    assert not instance.is_running(data)
    claimed = instance.claim(data)
    assert claimed.was_killed
    claimed.release()


def test_a_folder_never_used_has_no_instance(data: DataFolder) -> None:
    assert not instance.is_running(data)
    assert instance.read_instance(data) == {}
