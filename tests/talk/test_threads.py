"""Threads of comments: who writes, who reads, who is told, and what goes on in the next letter."""

import pytest
from django.core import mail as outbox
from django.urls import reverse

from apps.accounts.models import Role, User
from apps.core.errors import Conflict, NotAllowed
from apps.documents.collect import _remarks
from apps.notices.models import Notice
from apps.requisitions.models import Annotation, Revision
from apps.requisitions.services import (
    annotation_add,
    comment_change,
    comment_remove,
    comment_restore,
    revision_open_next,
    revision_submit,
    thread_settle,
)
from apps.requisitions.workflow import State
from apps.talk.presenters import talk_panel
from tests.factories import ANSWERS, make_client, make_in_state, make_user
from tests.helpers import run_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return make_client(full_name="Anna Owner", language="en")


@pytest.fixture
def revision(owner) -> Revision:
    return make_in_state(State.IN_REVIEW, owner)


@pytest.fixture
def engineer() -> User:
    return make_user(Role.ENGINEER, email="sergey@house.example", language="ru")


def say(revision: Revision, actor: User, text: str = "Why?", visibility: str = "client", **more):
    return annotation_add(revision=revision, actor=actor, text=text, visibility=visibility, **more)


@pytest.mark.parametrize(
    ("role", "internal", "visible"),
    [
        (Role.ENGINEER, True, True),
        (Role.APPROVER, True, True),
        (Role.MANAGER, False, True),
        (Role.ADMINISTRATOR, False, False),
    ],
)
def test_the_house_writes_by_role(revision, role, internal, visible):
    for visibility, allowed in (("internal", internal), ("client", visible)):
        if allowed:
            assert say(revision, make_user(role), visibility=visibility).side != "client"
        else:
            with pytest.raises(NotAllowed):
                say(revision, make_user(role), visibility=visibility)


def test_the_people_of_the_company_write_and_strangers_do_not(revision, owner):
    colleague = make_client(company=owner.company)
    assert say(revision, colleague).side == "client"
    with pytest.raises(NotAllowed):
        say(revision, owner, visibility="internal")
    with pytest.raises(NotAllowed):
        say(revision, make_client())


def test_nobody_writes_about_a_draft_or_what_was_replaced(owner, engineer):
    for state in (State.SUPERSEDED, State.WITHDRAWN):
        with pytest.raises(Conflict):
            say(make_in_state(state, owner), engineer)


def test_an_internal_thread_is_no_part_of_what_the_client_reads(client, revision, owner, engineer):
    thread = say(revision, engineer, "between us", visibility="internal")
    client.force_login(owner)
    page = client.get(reverse("intake:status", args=[revision.requisition_id])).content.decode()
    assert "between us" not in page
    assert client.post(reverse("talk:reply", args=[thread.pk]), {"text": "?"}).status_code == 404


def test_the_client_answers_on_the_status_page(client, revision, owner, engineer):
    thread = say(revision, engineer, "Is the rack deep enough?")
    client.force_login(owner)
    client.post(reverse("talk:reply", args=[thread.pk]), {"text": "Yes, 1200 mm"})
    status = client.get(reverse("intake:status", args=[revision.requisition_id]))
    page = status.content.decode()
    assert page.index("Is the rack deep enough?") < page.index("Yes, 1200 mm")
    assert 'value="internal"' not in page
    assert Annotation.objects.get(parent=thread).side == "client"


def test_only_what_reviewers_began_for_the_client_is_printed(revision, owner, engineer):
    thread = say(revision, engineer, "printed")
    say(revision, owner, "asked")
    say(revision, owner, "answered", parent=thread)
    say(revision, engineer, "inside", visibility="internal")
    comment_remove(comment=say(revision, engineer, "taken back"), actor=engineer)
    assert [remark.text for remark in _remarks(revision)] == ["printed"]


def test_a_thread_is_resolved_once_and_an_answer_opens_it_again(revision, owner, engineer):
    thread = say(revision, owner)
    assert thread_settle(thread=thread, actor=engineer, resolved=True)
    assert not thread_settle(thread=thread, actor=owner, resolved=True)
    thread.refresh_from_db()
    assert thread.resolved_by == engineer
    assert talk_panel(owner, revision).open == ()
    say(revision, owner, "not yet", parent=thread)
    assert len(talk_panel(owner, revision).open) == 1
    with pytest.raises(NotAllowed):
        thread_settle(thread=say(revision, engineer), actor=owner, resolved=True)


def test_own_words_are_mended_until_somebody_answers(revision, owner, engineer, settings):
    thread = say(revision, owner)
    comment_change(comment=thread, actor=owner, text="When?")
    with pytest.raises(NotAllowed):
        comment_change(comment=thread, actor=engineer, text="Never")
    comment_remove(comment=thread, actor=owner)
    thread.refresh_from_db()
    assert talk_panel(engineer, revision).open == ()
    assert talk_panel(owner, revision).open[0].comments[0].taken_back
    comment_restore(comment=thread, actor=owner)
    say(revision, engineer, "Tomorrow", parent=thread)
    thread.refresh_from_db()
    with pytest.raises(NotAllowed):
        comment_remove(comment=thread, actor=owner)
    settings.COMMENT_MENDED_MINUTES = -1
    with pytest.raises(NotAllowed):
        comment_change(comment=say(revision, owner, "late"), actor=owner, text="later")


def test_open_threads_go_on_in_the_next_letter_with_a_link_to_their_begin(owner, engineer):
    revision = make_in_state(State.CHANGES_REQUESTED, owner)
    thread = say(revision, engineer, "still open", target="question:lora_rank")
    say(revision, owner, "answer", parent=thread)
    settled = say(revision, engineer, "settled")
    thread_settle(thread=settled, actor=engineer, resolved=True)
    draft = revision_open_next(revision=revision, actor=owner)
    after = revision_submit(revision=draft, actor=owner, effective=ANSWERS, title="t")
    (row,) = talk_panel(engineer, after).open
    assert [comment.text for comment in row.comments] == ["still open", "answer"]
    assert row.origin == "A"
    assert row.origin_href.endswith(f"#thread-{thread.pk}")


def test_a_comment_is_told_without_its_words(revision, owner, engineer):
    Revision.objects.filter(pk=revision.pk).update(engineer=engineer)
    say(revision, owner, "SECRET words")
    run_jobs()
    (letter,) = [m for m in outbox.outbox if m.to == [engineer.email]]
    assert letter.subject == "[ЗС-0001 ред. A] Клиент оставил комментарий"
    assert "SECRET" not in letter.body
    assert f"/q/{revision.pk}/#thread-" in letter.body


def test_a_named_colleague_is_told_and_the_other_side_cannot_be_named(revision, owner, engineer):
    other = make_user(Role.APPROVER, email="olga@house.example")
    say(revision, engineer, "@olga, look; @anna too", visibility="internal")
    assert Notice.objects.filter(user=other, event="mention").count() == 1
    assert not Notice.objects.filter(user=owner, event__in=["mention", "note"]).exists()


def test_a_variant_has_no_hardware_in_its_name_before_the_approval(revision, owner, engineer):
    say(revision, engineer, "look", target="variant:SYS-821GE-TNHR/H200/8")
    assert talk_panel(owner, revision).open[0].about in ("a variant", "вариант")
