"""What a client asks for, and the versions of it."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language

from apps.accounts.models import Company, User
from apps.requisitions.workflow import UNDER_WAY, State
from apps.worktime.sizes import SizeClass


class Counter(models.Model):
    """Numbers without gaps: a locked row, because max + 1 is a race."""

    name = models.CharField(max_length=50, unique=True)
    value = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name}: {self.value}"


class Requisition(models.Model):
    """A client's wish for a training server. Owns revisions; its number comes at the first submit."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField(unique=True, null=True, blank=True)
    company = models.ForeignKey(Company, on_delete=models.PROTECT, related_name="requisitions")
    owner = models.ForeignKey(User, on_delete=models.PROTECT, related_name="requisitions")
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    titles = models.JSONField(default=dict, blank=True)  # language -> the task in one line
    search_text = models.TextField(default="", blank=True)  # folded: see apps.core.searching
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["company", "-created_at"], name="requisition_of_company"),
        ]

    def __str__(self) -> str:
        return self.display_number or str(self.id)

    @property
    def title(self) -> str:
        """The task in one line, in the reader's language where it is known in several."""
        titles: dict[str, str] = self.titles
        return titles.get(get_language() or "") or next(iter(titles.values()), "")

    @property
    def display_number(self) -> str:
        """`ЗС-0042` in every language: the number is an identity, not a word. Empty before submit."""
        return f"ЗС-{self.number:04d}" if self.number else ""


class Revision(models.Model):
    """One set of answers and its state. Once submitted, the answers never change.

    `prepared_by` is the manager who fills the draft in for the client. The client may be asked to
    confirm it, at `confirmation_asked_at`; if the manager sends it instead, `on_behalf_of` says for
    whom. `answers_text` is canonical JSON and `answers_sha256` its hash; both are empty in a draft, whose
    answers live in `Answer` rows. `version` goes up with every change of state.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    requisition = models.ForeignKey(Requisition, on_delete=models.CASCADE, related_name="revisions")
    index = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=20, choices=State.choices, default=State.DRAFT)
    version = models.PositiveIntegerField(default=1)
    previous = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="next"
    )
    answers_text = models.TextField(default="", blank=True)
    answers_sha256 = models.CharField(max_length=64, default="", blank=True)
    finished_sections = models.JSONField(default=list, blank=True)  # the client's own statement
    engineer = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="reviews"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    submitted_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    prepared_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    confirmation_asked_at = models.DateTimeField(null=True, blank=True)
    on_behalf_of = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    state_since = models.DateTimeField(auto_now_add=True)
    approved_at = models.DateTimeField(null=True, blank=True)  # stays when a later one is approved
    # How long it may take: what the queue sorts and filters by, see `services.clock`.
    clock = models.ForeignKey(
        "requisitions.Clock",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="revisions",
    )
    due_at = models.DateTimeField(null=True, blank=True)  # only while the clock runs
    wanted_on = models.DateField(null=True, blank=True)  # the day of the client's answer
    size_class = models.CharField(max_length=10, choices=SizeClass.choices, default=SizeClass.USUAL)

    class Meta:
        ordering = ["requisition", "index"]
        constraints = [
            models.UniqueConstraint(fields=["requisition", "index"], name="one_revision_a_letter"),
            models.UniqueConstraint(
                fields=["requisition"], condition=Q(state=State.DRAFT), name="one_draft_at_a_time"
            ),
            models.UniqueConstraint(
                fields=["requisition"],
                condition=Q(state__in=sorted(UNDER_WAY)),
                name="one_revision_under_way",
            ),
            models.UniqueConstraint(
                fields=["requisition"],
                condition=Q(state=State.APPROVED),
                name="one_approved_revision",
            ),
            models.CheckConstraint(
                condition=Q(state__in=State.values), name="revision_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[State.DRAFT, State.WITHDRAWN, State.REDIRECTED])
                | ~Q(answers_sha256=""),
                name="submitted_revision_has_answers",
            ),
            # Whoever speaks for a client is another person, and has sent it.
            models.CheckConstraint(
                condition=Q(on_behalf_of__isnull=True)
                | (
                    Q(submitted_by__isnull=False, submitted_at__isnull=False)
                    & ~Q(on_behalf_of=F("submitted_by"))
                ),
                name="on_behalf_by_another",
            ),
        ]
        indexes = [
            # All that the queue counts and sorts by: its pages read no row but those they show.
            models.Index(
                fields=[
                    "state",
                    "due_at",
                    "wanted_on",
                    "submitted_at",
                    "engineer",
                    "size_class",
                    "requisition",
                    "id",
                ],
                name="revision_queue",
            ),
            # All that lists ask of a requisition's revisions, without their long answers.
            models.Index(
                fields=["requisition", "-index", "state", "answers_sha256"],
                name="revision_standing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.requisition} {self.letter}"

    @property
    def letter(self) -> str:
        """A, B … Z, AA …"""
        letters, rest = "", self.index
        while rest > 0:
            rest, digit = divmod(rest - 1, 26)
            letters = chr(ord("A") + digit) + letters
        return letters

    @property
    def is_draft(self) -> bool:
        return self.state == State.DRAFT

    @property
    def never_sent(self) -> bool:
        """It is a draft, or was given up as one; other ways may be taken without sending."""
        return not self.answers_text and self.state != State.REDIRECTED

    @property
    def was_approved(self) -> bool:
        """It is approved, or it was before a later revision took its place."""
        return self.state == State.APPROVED or self.approved_at is not None
