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
    be about answers that were never calculated: it alone has no `calculation`. What is printed on
    demand, a part of a whole document, has that one as its `origin` and the same facts.

    `code` is what `/verify/` is asked about; documents from before it was printed have none.
    """

    class Kind(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("document", "draft")
        FINAL = "final", pgettext_lazy("document", "approved assessment")
        SUPERSEDED = "superseded", pgettext_lazy("document", "copy marked as superseded")
        NOTE = "note", pgettext_lazy("document", "conclusion without an assessment")
        SHORT = "short", pgettext_lazy("document", "short version")
        PROTOCOL = "protocol", pgettext_lazy("document", "protocol of the pilot")

    WHOLE = (Kind.DRAFT, Kind.FINAL, Kind.SUPERSEDED)
    EXTRACTS = (Kind.SHORT, Kind.PROTOCOL)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="documents")
    calculation = models.ForeignKey(
        Calculation, on_delete=models.PROTECT, related_name="documents", null=True, blank=True
    )
    origin = models.ForeignKey(
        "self", on_delete=models.CASCADE, related_name="extracts", null=True, blank=True
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    language = models.CharField(max_length=2)
    template_version = models.CharField(max_length=20)
    snapshot_text = models.TextField()
    snapshot_sha256 = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64, default="", blank=True, db_index=True)
    code = models.CharField(max_length=16, default="", blank=True)
    size_bytes = models.PositiveIntegerField(null=True, blank=True)
    page_count = models.PositiveSmallIntegerField(null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "language"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "kind", "language", "snapshot_sha256"],
                condition=Q(origin__isnull=True),
                name="one_document_of_the_facts",
            ),
            models.UniqueConstraint(fields=["origin", "kind"], name="one_extract_of_a_kind"),
            models.UniqueConstraint(
                fields=["code"], condition=~Q(code=""), name="one_document_a_code"
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
                condition=Q(kind__in=["draft", "final", "superseded", "note"], origin__isnull=True)
                | Q(kind__in=["short", "protocol"], origin__isnull=False),
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
    def is_extract(self) -> bool:
        return self.kind in self.EXTRACTS

    @property
    def file_name(self) -> str:
        """`ЗС-0042-A.pdf`; another language, a part and a copy that is not the original say so, in
        the language of the document."""
        revision = self.revision
        parts = [revision.requisition.display_number, revision.letter]
        if self.language != settings.LANGUAGE_CODE:
            parts.append(self.language)
        with translation.override(self.language):
            kinds = (self.kind, self.origin.kind) if self.origin else (self.kind,)
            parts += [word for word in map(_in_file_name, kinds) if word]
        return "-".join(parts) + ".pdf"


def _in_file_name(kind: str) -> str:
    """What a kind adds to the name of a file in the active language; nothing for the original."""
    words = {
        Document.Kind.DRAFT: pgettext("file name", "draft"),
        Document.Kind.SUPERSEDED: pgettext("file name", "superseded"),
        Document.Kind.NOTE: pgettext("file name", "conclusion"),
        Document.Kind.SHORT: pgettext("file name", "short"),
        Document.Kind.PROTOCOL: pgettext("file name", "pilot protocol"),
    }
    return words.get(Document.Kind(kind), "").replace(" ", "-")
