"""Run by the virtual environment's Python: prints findings, one JSON object a line."""

import sys
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from config.launcher.findings import Finding
from config.launcher.texts import text

BEAT_ALLOWED_S = 60.0
MAIL_LOOKED_BACK = timedelta(days=7)
SHOWN = ("django", "celery", "gunicorn", "weasyprint", "psycopg", "redis")


def versions() -> Finding:
    detail = ", ".join(f"{name} {version(name)}" for name in SHOWN)
    return Finding(topic="versions", ok=True, detail=detail)


def database() -> Finding:
    """It answers, and every migration has been applied."""
    file = str(settings.DATABASES["default"]["NAME"])
    if connection.vendor == "sqlite" and not Path(file).exists():
        return Finding(topic="database", ok=True, detail=text("doctor.no_database_yet"))
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return Finding(topic="database", ok=False, detail=str(error).strip())
    key = "doctor.migrations_pending" if pending else "doctor.database_ready"
    detail = text(key, vendor=connection.vendor, count=len(pending))
    return Finding(
        topic="database", ok=not pending, detail=detail, remedy="./podbor manage prepare"
    )


def worker() -> Finding:
    """The newest sign of life in the database is fresh, while the product runs."""
    newest = apps.get_model("jobs", "WorkerBeat").objects.order_by("-at").first()
    waiting_count = (
        apps.get_model("jobs", "Job").objects.filter(state__in=["ready", "running"]).count()
    )
    if newest is None:
        return Finding(
            topic="worker", ok=False, detail=text("doctor.no_beat"), remedy="./podbor up"
        )
    age = timezone.now() - newest.at
    fresh = timedelta(0) <= age + timedelta(seconds=1) <= timedelta(seconds=BEAT_ALLOWED_S)
    detail = text("doctor.beat", age_s=age.total_seconds(), count=waiting_count)
    log = settings.DATA_DIR / "log" / "worker.log"
    return Finding(topic="worker", ok=fresh, detail=detail, remedy=f"tail {log}")


def mail() -> Finding:
    """No mail of the last week has been given up."""
    since = timezone.now() - MAIL_LOOKED_BACK
    mails = apps.get_model("mail", "Mail").objects.filter(created_at__gte=since, sent_at=None)
    failed_count = mails.filter(job__state="failed").count()
    waiting_count = mails.filter(job__state__in=["ready", "running"]).count()
    if failed_count:
        detail = text("doctor.mail_failed", count=failed_count)
        return Finding(topic="mail", ok=False, detail=detail, remedy="./podbor manage failed_mails")
    return Finding(topic="mail", ok=True, detail=text("doctor.mail_well", count=waiting_count))


def pdf() -> Finding:
    """WeasyPrint loads its libraries and prints a Cyrillic line and the product's fonts are there."""
    try:
        weasyprint = import_module("weasyprint")  # here, because a missing library fails it
    except (OSError, ImportError) as error:
        return Finding(topic="pdf", ok=False, detail=str(error).splitlines()[0])
    fonts = sorted(settings.BASE_DIR.glob("static/fonts/*.ttf"))
    printed = weasyprint.HTML(string="<p>Подбор</p>").write_pdf()
    number = weasyprint.text.ffi.pango.pango_version()
    pango_version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    ok = bool(printed and printed.startswith(b"%PDF") and fonts)
    detail = text("doctor.pdf_ready", pango=pango_version, fonts=len(fonts))
    return Finding(topic="pdf", ok=ok, detail=detail, remedy="git checkout -- static/fonts")


def main(arguments: list[str]) -> int:
    django.setup()
    looks: list[Callable[[], Finding]] = [versions, pdf, database]
    if "running" in arguments:
        looks += [worker, mail]
    for look in looks:
        print(look().as_json(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
