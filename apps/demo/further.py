"""Steps around the way of a requisition: guests, talk, documents of suppliers, offers, pilots."""

from __future__ import annotations

from typing import Any

from apps.accounts.models import Role
from apps.demo.scene import Scene, Words
from apps.offers.services import offer_add
from apps.pilots.selectors import facts_of
from apps.pilots.services import pilot_close, pilot_save
from apps.requisitions import services as requisitions
from apps.requisitions.models import Annotation
from apps.requisitions.services import Wish
from apps.review.dossier import dossier_of
from apps.review.editing import part_confirm


def invite_guest(scene: Scene, words: Words) -> None:
    """A link to one section; one for no days at all has run out by the time it is looked at."""
    wish = Wish(
        section=words["section"],
        question=words.get("question", ""),
        name=words["name"],
        email=words["email"],
        days=words["days"],
    )
    requisitions.guest_invite(revision=scene.revision, wish=wish, actor=scene.client)


def confirm_part(scene: Scene, words: Words) -> None:
    """The supplier's document stands behind the part number of the recommended variant."""
    revision = scene.sent
    chosen = dossier_of(revision).recommended
    assert chosen is not None, "the story recommends a variant"
    part_confirm(
        revision=revision,
        actor=scene.staff(Role.ENGINEER),
        variant=chosen.block,
        part_number=words["part_number"],
        says=words["says"],
        file_name=words["file"],
        content=words["content"].encode(),
        expected_version=revision.version,
    )


def offer(scene: Scene, words: Words) -> None:
    offer_add(revision=scene.sent, values=words["values"], actor=scene.client)


def pilot(scene: Scene, words: Words) -> None:
    """The protocol's own workload with the figures of the story, written down and closed."""
    revision, engineer = scene.sent, scene.staff(Role.ENGINEER)
    facts = facts_of(revision)
    assert facts is not None, "the story has a variant to measure"
    run = pilot_save(
        revision=revision,
        facts=facts,
        values=_as_protocol(facts) | words["values"],
        origin="form",
        actor=scene.client,
    )
    pilot_close(run=run, actor=engineer)


def _as_protocol(facts: dict[str, Any]) -> dict[str, Any]:
    workload, place = facts["workload"], facts["place"]
    values = {"model": workload["model"]}
    values |= {f"parameters.{k}": v for k, v in workload["parameters"].items() if k != "stage"}
    values |= {f"steps.{k}": v for k, v in workload["steps"].items()}
    values |= {f"place.{k}": place[k] for k in ("accelerator", "gpus", "nodes", "layout")}
    return {path: value for path, value in values.items() if value is not None}


def accept_value(scene: Scene, words: Words) -> None:
    """The client agrees to the engineer's value."""
    revision = scene.sent
    value = revision.overrides.get(field=words["field"], removed_at__isnull=True)
    requisitions.value_reply(
        revision=revision, override_id=value.pk, actor=scene.client, accepted=True
    )


def reply(scene: Scene, words: Words) -> None:
    """The client answers the latest comment that was written to them."""
    requisitions.annotation_add(
        revision=scene.sent,
        actor=scene.client,
        text=words["text"],
        visibility=Annotation.Visibility.CLIENT,
        parent=_latest_thread(scene),
    )


def resolve(scene: Scene, words: Words) -> None:
    """The engineer calls that conversation resolved."""
    requisitions.thread_settle(
        thread=_latest_thread(scene), actor=scene.staff(Role.ENGINEER), resolved=True
    )


def _latest_thread(scene: Scene) -> Annotation:
    threads = scene.sent.annotations.filter(
        parent__isnull=True, visibility=Annotation.Visibility.CLIENT
    )
    return threads.latest("created_at")
