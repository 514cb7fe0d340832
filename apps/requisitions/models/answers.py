"""What the client typed, attached and does not know."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.requisitions.models.guests import GuestInvitation
from apps.requisitions.models.requisition import Requisition, Revision


class Answer(models.Model):
    """One answer of a draft, as typed, whether it makes sense or not.

    `value` is the text of the field, or a list of texts where several may be chosen; it is kept
    beside «I don't know». `who` may know and by `when`, in the client's words; `note` says why a
    doubtful value stays. `version` goes up with every change; a save that was based on an older
    version is a conflict. It was given by a person with an account or by a guest.
    """

    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=60)
    value = models.JSONField(default=str)
    unknown = models.BooleanField(default=False)
    who = models.CharField(max_length=120, default="", blank=True)
    when = models.CharField(max_length=40, default="", blank=True)
    provenance = models.CharField(max_length=20, default="client")
    note = models.CharField(max_length=500, default="", blank=True)
    version = models.PositiveIntegerField(default=1)
    updated_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    guest = models.ForeignKey(
        GuestInvitation, on_delete=models.RESTRICT, null=True, blank=True, related_name="answers"
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["revision", "key"], name="one_answer_a_question"),
            models.CheckConstraint(
                condition=Q(updated_by__isnull=False, guest__isnull=True)
                | Q(updated_by__isnull=True, guest__isnull=False),
                name="answer_has_one_author",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} {self.key}"

    @property
    def author(self) -> User | GuestInvitation:
        found = self.guest or self.updated_by
        assert found is not None, "a constraint"
        return found


class OpenQuestion(models.Model):
    """Something nobody has answered yet: the client said so, or the engineer asks."""

    class Origin(models.TextChoices):
        CLIENT = "client", _("the client does not know")
        ENGINEER = "engineer", _("the engineer asks")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ANSWERED = "answered", _("answered")
        DROPPED = "dropped", _("dropped")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="open_questions")
    key = models.CharField(max_length=60, default="", blank=True)  # a question of the questionnaire
    origin = models.CharField(max_length=10, choices=Origin.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    text = models.TextField(default="", blank=True)  # the engineer's words
    owner_name = models.CharField(max_length=120, default="", blank=True)
    due_text = models.CharField(max_length=40, default="", blank=True)
    influence = models.FloatField(null=True, blank=True)  # swing of the result it moves, a ratio
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = [models.F("influence").desc(nulls_last=True), "created_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=~Q(key="") | ~Q(text=""), name="open_question_says_something"
            ),
        ]

    def __str__(self) -> str:
        return self.key or self.text[:60]


class Attachment(models.Model):
    """A file of the client, or evidence of the engineer. The name is only ever text; the bytes live
    under their hash.

    `kind` is the client's word for what it is, empty when they do not say.
    """

    class Kind(models.TextChoices):
        SPECIFICATION = "specification", _("A specification or a list of SKUs")
        SETTINGS = "settings", _("Settings of the training")
        PROFILE = "profile", _("A memory profile or a log")
        RACK = "rack", _("A drawing or a passport of the rack")
        OTHER = "other", _("Something else")
        # The house's own: no client lists, chooses or fetches one.
        EVIDENCE = "evidence", _("A document behind a part number")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    requisition = models.ForeignKey(
        Requisition, on_delete=models.CASCADE, related_name="attachments"
    )
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind.choices, default="", blank=True)
    sha256 = models.CharField(max_length=64)
    size_bytes = models.PositiveBigIntegerField()
    uploaded_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["uploaded_at", "id"]

    def __str__(self) -> str:
        return self.name
