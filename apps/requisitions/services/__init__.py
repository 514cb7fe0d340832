"""Everything that changes a requisition, by noun."""

from apps.requisitions.services.answers import (
    Change,
    Clash,
    SaveOutcome,
    answers_save,
    attachment_add,
    attachment_remove,
    evidence_add,
    section_finish,
)
from apps.requisitions.services.confirmation import confirmation_ask, confirmation_take_back
from apps.requisitions.services.guests import (
    LinkOver,
    Wish,
    guest_answer,
    guest_ask_again,
    guest_begin,
    guest_invite,
    guest_letter,
    guest_link,
    guest_prolong,
    guest_revoke,
)
from apps.requisitions.services.holding import revisions_hold
from apps.requisitions.services.outcome import (
    draft_redirect,
    revision_redirect,
    revision_reject,
)
from apps.requisitions.services.replies import reply_of, value_reply
from apps.requisitions.services.requisition import (
    requisition_create,
    requisition_entitle,
    revision_open_next,
    revision_submit,
)
from apps.requisitions.services.review import (
    changes_request,
    override_remove,
    override_set,
    question_close,
    questions_rank,
    recheck_settle,
    revision_give_back,
    revision_take,
    revision_touch,
)
from apps.requisitions.services.talk import (
    annotation_add,
    comment_change,
    comment_remove,
    comment_restore,
    thread_settle,
)
from apps.requisitions.services.transition import revision_transition

__all__ = [
    "Change",
    "Clash",
    "LinkOver",
    "SaveOutcome",
    "Wish",
    "annotation_add",
    "answers_save",
    "attachment_add",
    "attachment_remove",
    "changes_request",
    "comment_change",
    "comment_remove",
    "comment_restore",
    "confirmation_ask",
    "confirmation_take_back",
    "draft_redirect",
    "evidence_add",
    "guest_answer",
    "guest_ask_again",
    "guest_begin",
    "guest_invite",
    "guest_letter",
    "guest_link",
    "guest_prolong",
    "guest_revoke",
    "override_remove",
    "override_set",
    "question_close",
    "questions_rank",
    "recheck_settle",
    "reply_of",
    "requisition_create",
    "requisition_entitle",
    "revision_give_back",
    "revision_open_next",
    "revision_redirect",
    "revision_reject",
    "revision_submit",
    "revision_take",
    "revision_touch",
    "revision_transition",
    "revisions_hold",
    "section_finish",
    "thread_settle",
    "value_reply",
]
