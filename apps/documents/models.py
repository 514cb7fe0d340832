"""The PDF of a revision: the frozen facts it is made from, and the bytes it became."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import translation
from django.utils.translation import pgettext, pgettext_lazy

from apps.accounts.models import User
from apps.core.canonical import sha256_of
from apps.estimation.models import Calculation
from apps.requisitions.models import Revision

LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)


class Document(models.Model):
    """One PDF in one language.

    `snapshot_text` holds everything it says and never changes; `snapshot_sha256` is the hash of
    the facts alone, so a draft and the final made from it share it. `sha256` is that of the
    printed bytes and empty until there are any; a printed row is never printed again. A note may
    be about answers that were never calculated: it alone has no `calculation`.
    """

    class Kind(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("document", "draft")
        FINAL = "final", pgettext_lazy("document", "approved assessment")
        SUPERSEDED = "superseded", pgettext_lazy("document", "copy marked as superseded")
        NOTE = "note", pgettext_lazy("document", "conclusion without an assessment")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="documents")
    calculation = models.ForeignKey(
        Calculation, on_delete=models.PROTECT, related_name="documents", null=True, blank=True
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    language = models.CharField(max_length=2)
    template_version = models.CharField(max_length=20)
    snapshot_text = models.TextField()
    snapshot_sha256 = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64, default="", blank=True)
    size_bytes = models.PositiveIntegerField(null=True, blank=True)
    page_count = models.PositiveSmallIntegerField(null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "kind", "language", "snapshot_sha256"],
                name="one_document_of_the_facts",
            ),
            models.UniqueConstraint(
                fields=["revision", "language"],
                condition=Q(kind="final"),
                name="one_final_document_a_language",
            ),
            models.UniqueConstraint(
                fields=["revision", "language"],
                condition=Q(kind="note"),
                name="one_note_a_language",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["draft", "final", "superseded", "note"]),
                name="document_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(kind="note") | Q(calculation__isnull=False),
                name="assessment_has_calculation",
            ),
            models.CheckConstraint(
                condition=Q(language__in=LANGUAGES), name="document_language_known"
            ),
            models.CheckConstraint(
                condition=~Q(snapshot_text="") & ~Q(snapshot_sha256=""),
                name="document_has_facts",
            ),
            models.CheckConstraint(
                condition=Q(sha256="", size_bytes__isnull=True, page_count__isnull=True)
                | (~Q(sha256="") & Q(size_bytes__gt=0, page_count__gt=0)),
                name="printed_document_has_size",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision} {self.kind} {self.language}"

    @property
    def is_ready(self) -> bool:
        return bool(self.sha256)

    @property
    def identifier(self) -> str:
        """The PDF's own: the same facts in the same form are the same bytes."""
        parts = (self.snapshot_text, self.kind, self.language, self.template_version)
        return sha256_of("\n".join(parts))[:32]

    @property
    def file_name(self) -> str:
        """`ЗС-0042-A.pdf`; another language and a copy that is not the original say so, in the
        language of the document."""
        revision = self.revision
        parts = [revision.requisition.display_number, revision.letter]
        if self.language != settings.LANGUAGE_CODE:
            parts.append(self.language)
        with translation.override(self.language):
            if self.kind == self.Kind.DRAFT:
                parts.append(pgettext("file name", "draft"))
            elif self.kind == self.Kind.SUPERSEDED:
                parts.append(pgettext("file name", "superseded"))
            elif self.kind == self.Kind.NOTE:
                parts.append(pgettext("file name", "conclusion"))
        return "-".join(parts) + ".pdf"
