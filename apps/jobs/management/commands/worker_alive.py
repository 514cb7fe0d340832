"""`manage.py worker_alive`: the health check of a worker's container."""

import socket
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.jobs.selectors import workers_alive


class Command(BaseCommand):
    help = "Exit 0 when a worker of this host has lately given a sign of life, otherwise 1."

    def handle(self, *args: Any, **options: Any) -> None:
        host = socket.gethostname()
        if not workers_alive(host=host):
            raise CommandError(f"no worker of {host} has given a sign of life")
