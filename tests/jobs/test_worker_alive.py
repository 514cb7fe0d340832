"""The worker's health check: its own host, and fresh."""

import socket
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.jobs.models import WorkerBeat

pytestmark = pytest.mark.django_db


def test_a_fresh_beat_of_this_host_is_well() -> None:
    WorkerBeat.objects.create(name=f"{socket.gethostname()}:7", at=timezone.now())
    call_command("worker_alive")


def test_a_silent_worker_is_not() -> None:
    at = timezone.now() - timedelta(minutes=1)
    WorkerBeat.objects.create(name=f"{socket.gethostname()}:7", at=at)
    with pytest.raises(CommandError):
        call_command("worker_alive")


def test_another_hosts_worker_does_not_count() -> None:
    WorkerBeat.objects.create(name=f"{socket.gethostname()}-2:7", at=timezone.now())
    with pytest.raises(CommandError):
        call_command("worker_alive")
