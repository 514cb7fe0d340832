"""The audit trail: append-only, each event bound to the one before it by a hash."""

from typing import Any

from django.conf import settings
from django.db import models


class AuditHead(models.Model):
    """The end of the chain. Locked while an event is appended, so that the chain cannot fork."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, default="")

    def __str__(self) -> str:
        return f"{self.seq} {self.hash[:16]}"


class AuditEvent(models.Model):
    """One thing that happened. What the hash covers is stored as the very text it covers."""

    seq = models.PositiveBigIntegerField(unique=True)
    at_text = models.CharField(max_length=40)  # ISO 8601, UTC, microseconds: hashed as written
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    actor_name = models.CharField(max_length=200)  # survives the person's leaving
    action = models.CharField(max_length=50, db_index=True)
    subject = models.CharField(max_length=100, db_index=True)
    payload_text = models.TextField()
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"{self.seq} {self.action} {self.subject}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("an audit event is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("an audit event is never deleted")
