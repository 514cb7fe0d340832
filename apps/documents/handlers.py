"""What the workers do for a document: print outside any transaction, store in one."""

import logging

from apps.documents import services
from apps.documents.models import Document
from apps.documents.page import sheet_of
from apps.documents.press import DocumentRefused, Printed, print_pdf
from apps.jobs.models import Job
from apps.jobs.services import Claim, Unrepeatable

logger = logging.getLogger(__name__)


def render(job: Job, held: Claim) -> None:
    """Print one document from its frozen facts.

    Raises:
        Unrepeatable: what was printed is not fit to be handed out.
        PressFailed: the child died or took too long; the job is tried again.
    """
    document = services.document_of(job)
    printed = None
    if not document.is_ready:
        try:
            printed = print_pdf(sheet_of(document))
            _note(document, printed)
        except DocumentRefused as problem:
            raise Unrepeatable(str(problem)) from problem
    services.document_store(document=document, held=held, printed=printed)


def _note(document: Document, printed: Printed) -> None:
    """What the document asked for in vain is a fault of ours or somebody's try."""
    if printed.refused or printed.warnings:
        logger.warning(
            "document %s: refused %s, complaints %s", document.pk, printed.refused, printed.warnings
        )
