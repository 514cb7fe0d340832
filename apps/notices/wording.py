"""The words of every event: what happened, what to do, what it means, where to go on.

Nothing here may tell more than the number and the letters: mails leave the house.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from apps.core.formatting import day

Text = str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """`state` follows the number in lists and subjects, `todo` is what the person has to do, `link`
    stands before the address in a mail. A draft has no number yet: `numbered` is False. `topic` is
    what the mail can be switched off by; "" for what nobody can do without.
    """

    state: Text
    todo: Text
    text: Text
    link: Text
    topic: str = ""
    numbered: bool = True


@dataclass(frozen=True, slots=True)
class Words:
    """A wording with its parameters filled in, in the language of the moment."""

    heading: str
    todo: str
    due: str
    text: str
    link: str


TOPICS: Final[Mapping[str, Text]] = {
    "comments": _("Comments, and being named in one"),
    "course": _("Steps on the way: taken, sent to approval, returned, withdrawn, pilot results"),
    "reminders": _("Reminders: an answer is waited for, a draft will be put away"),
    "drafts": _("Drafts saved and put away"),
    "guests": _("Colleagues who answer by a link"),
    "digest": _("Morning of an engineer: what waits in the queue, once a working day"),
}
"""What a person may switch the mails of off."""

_YOUR_PAGE = _("Your requisition:")
_THE_PAGE = _("The requisition:")

EVENTS: dict[str, Wording] = {
    "please-confirm": Wording(
        state=_("Please check and confirm your requisition"),
        todo=_("Check the answers, correct what is wrong, and send the requisition."),
        text=_("Our manager has filled it in for you; nothing goes on before you confirm."),
        link=_("The answers:"),
        numbered=False,
    ),
    "receipt": Wording(
        state=_("Received"),
        todo=_("Nothing is needed from you now."),
        text=_(
            "We have received your requisition, and the calculation has started. An engineer"
            " checks it next. We will write when there is a question or a result."
        ),
        link=_YOUR_PAGE,
    ),
    "submitted": Wording(
        state=_("New requisition"),
        todo=_("An engineer takes it from the queue."),
        text=_("A client has sent a requisition for assessment."),
        link=_THE_PAGE,
    ),
    "resubmitted": Wording(
        state=_("Sent again"),
        todo=_("Look at what has changed and go on with the new revision."),
        text=_("The client has sent a new revision. The work goes on with it."),
        link=_THE_PAGE,
    ),
    "estimation-failed": Wording(
        state=_("The calculation failed"),
        todo=_("Look at which part failed and start it again."),
        text=_(
            "A part of the calculation could not be done. The page says which one; it can be"
            " started again there."
        ),
        link=_THE_PAGE,
    ),
    "time-nearly-over": Wording(
        state=_("Most of the time is used"),
        todo=_("Finish the assessment, or ask the client what is missing."),
        text=_("Four fifths of the working time for the assessment are used."),
        link=_THE_PAGE,
    ),
    "time-over": Wording(
        state=_("The assessment is late"),
        todo=_("Finish the assessment, or ask the client what is missing."),
        text=_("The working time for the assessment is over."),
        link=_THE_PAGE,
    ),
    "auto-returned": Wording(
        state=_("Back in the queue"),
        todo=_("Take it again if you still work on it."),
        text=_("You did nothing with it for long, so that somebody else may take it now."),
        link=_THE_PAGE,
    ),
    "taken": Wording(
        state=_("An engineer has taken it"),
        todo=_("Nothing is needed from you now."),
        text=_("The engineer checks the answers and the calculation."),
        link=_THE_PAGE,
        topic="course",
    ),
    "value-accepted": Wording(
        state=_("The client accepts your value"),
        todo=_("Nothing is needed from you now."),
        text=_("It stands in the assessment as accepted by the client."),
        link=_THE_PAGE,
        topic="course",
    ),
    "value-declined": Wording(
        state=_("The client declines your value"),
        todo=_("Read why on the page of the review."),
        text=_("Set another value, or let it stand as declined."),
        link=_THE_PAGE,
        topic="course",
    ),
    "questions": Wording(
        state=_("Please clarify"),
        todo=_("Answer the questions and send the requisition again."),
        text=_(
            "The engineer has questions about your requisition. The work goes on from your answers."
        ),
        link=_("Questions and answers:"),
    ),
    "changes-requested": Wording(
        state=_("Waits for the client"),
        todo=_("Nothing is needed from you now."),
        text=_("The engineer has asked the client for clarification."),
        link=_THE_PAGE,
    ),
    "sent-to-approval": Wording(
        state=_("Waits for approval"),
        todo=_("Look at the assessment and decide."),
        text=_("The engineer has checked the assessment and sent it to approval."),
        link=_("The assessment:"),
        topic="course",
    ),
    "returned": Wording(
        state=_("Returned to the engineer"),
        todo=_("Read the reason and go on with the review."),
        text=_("The approver has returned the assessment. The reason is on its page."),
        link=_THE_PAGE,
        topic="course",
    ),
    "approved": Wording(
        state=_("The assessment is approved"),
        todo=_("Download the document."),
        text=_(
            "The preliminary expert assessment is approved. Its document can be downloaded"
            " from the page of the requisition. It is not a price offer."
        ),
        link=_("The page with the document:"),
    ),
    "rejected": Wording(
        state=_("Rejected"),
        todo=_("Read the reason; a new revision may be sent."),
        text=_("The requisition has been rejected. The reason is on its page."),
        link=_THE_PAGE,
    ),
    "redirected": Wording(
        state=_("Another way comes first"),
        todo=_("Read which way we advise and why."),
        text=_(
            "We advise to go another way before a server for training is chosen. Which one"
            " and why is on the page of the requisition. The answers are kept."
        ),
        link=_THE_PAGE,
    ),
    "withdrawn": Wording(
        state=_("Withdrawn"),
        todo=_("Nothing more is to be done."),
        text=_("The client has withdrawn the requisition."),
        link=_THE_PAGE,
        topic="course",
    ),
    "guest-answered": Wording(
        state=_("A colleague has answered a section"),
        todo=_("Look at the answers."),
        text=_("Somebody whom you invited by a link has answered a section of your requisition."),
        link=_("Who answered what:"),
        topic="guests",
        numbered=False,
    ),
    "guest-lacking": Wording(
        state=_("A colleague lacks data for a section"),
        todo=_("Find the data, or ask somebody else."),
        text=_(
            "Somebody whom you invited by a link has looked at a section of your requisition"
            " and says that data is missing. What they wrote is on the page."
        ),
        link=_("Who answered what:"),
        topic="guests",
        numbered=False,
    ),
    "guest-asks-again": Wording(
        state=_("A colleague asks for a new link"),
        todo=_("Let the link work longer, or revoke it."),
        text=_(
            "The time of a link to a section of your requisition is over, and somebody who"
            " has it wants to go on."
        ),
        link=_("The links:"),
        topic="guests",
        numbered=False,
    ),
    "superseded": Wording(
        state=_("Replaced by rev. %(successor)s"),
        todo=_("Use the new document instead of the earlier one."),
        text=_(
            "Revision %(successor)s of the assessment is approved and takes the place of"
            " revision %(letter)s. Please do not use the earlier document any more."
        ),
        link=_("The page with the document:"),
    ),
    "comment": Wording(
        state=_("New comment"),
        todo=_("Read the comment, and answer if you want to."),
        text=_("There is a new comment on the requisition."),
        link=_("The comment:"),
        topic="comments",
    ),
    "client-comment": Wording(
        state=_("The client has written a comment"),
        todo=_("Read the comment and answer it."),
        text=_("The thread is open until somebody resolves it."),
        link=_("The comment:"),
        topic="comments",
    ),
    "note": Wording(
        state=_("New internal comment"),
        todo=_("Read the comment. The client does not see it."),
        text=_("A colleague has written about the requisition."),
        link=_("The comment:"),
        topic="comments",
    ),
    "mention": Wording(
        state=_("You are named in a comment"),
        todo=_("Read the comment and answer your colleague."),
        text=_("A colleague has named you in a comment on the requisition."),
        link=_("The comment:"),
        topic="comments",
    ),
    "draft-kept": Wording(
        state=_("Your draft is saved"),
        todo=_("Go on when you like: all answers are kept."),
        text=_(
            "A draft that nobody works on for %(days)s days is put away. Nothing is lost: one"
            " press brings it back."
        ),
        link=_("To go on:"),
        topic="drafts",
        numbered=False,
    ),
    "draft-expiring": Wording(
        state=_("Your draft will be put away soon"),
        todo=_("Go on with the draft, or leave it."),
        text=_(
            "Nobody has worked on the draft for long, and it will be put away. Nothing is"
            " lost: one press brings it back."
        ),
        link=_("To go on:"),
        topic="reminders",
        numbered=False,
    ),
    "draft-away": Wording(
        state=_("Your draft is put away"),
        todo=_("Bring it back if you still need it."),
        text=_(
            "Nobody has worked on the draft for long. All answers are kept, and one press"
            " brings it back."
        ),
        link=_("The draft:"),
        topic="drafts",
        numbered=False,
    ),
    "no-answer": Wording(
        state=_("Waits for your answer"),
        todo=_("Answer the questions and send the requisition again."),
        text=_(
            "The engineer asked you %(days)s working days ago. The work stands still until"
            " you answer."
        ),
        link=_("Questions and answers:"),
        topic="reminders",
    ),
    "no-answer-house": Wording(
        state=_("The client has not answered"),
        todo=_("Ask the client how it goes."),
        text=_("The engineer asked %(days)s working days ago, and there is no answer yet."),
        link=_THE_PAGE,
        topic="reminders",
    ),
    "link-again": Wording(
        state=_("The page of your requisition"),
        todo=_("Open the page when you like."),
        text=_(
            "Our manager sends you the link once more. The page says how far the assessment is,"
            " what is asked, and where the documents are."
        ),
        link=_YOUR_PAGE,
    ),
    "digest": Wording(
        state=_("What waits today"),
        todo=_("Look at the queue and take what is next."),
        text=_(
            "Free in the queue: %(free)s. Yours, due today or late: %(today)s. Sent again by clients,"
            " not read yet: %(answered)s. Comments not read yet: %(comments)s."
        ),
        link=_("The queue:"),
        topic="digest",
        numbered=False,
    ),
    "pilot-data": Wording(
        state=_("Results of the pilot are there"),
        todo=_("Compare what was measured with the assessment."),
        text=_("Results of a pilot were entered for the requisition."),
        link=_("The pilot:"),
        topic="course",
    ),
}


def words_of(event: str, params: Mapping[str, Any]) -> Words:
    """The words of an event in the language of the moment.

    Args:
        params: what the words name; with `due` (ISO) also by when, with `questions` how many.

    Raises:
        KeyError: there is no such event, or a parameter is missing.
    """
    wording = EVENTS[event]
    due = params.get("due")
    return Words(
        heading=_heading(wording, params),
        todo=str(wording.todo) % params,
        due=gettext("Due: %(day)s.") % {"day": day(date.fromisoformat(due))} if due else "",
        text=str(wording.text) % params,
        link=str(wording.link),
    )


def _heading(wording: Wording, params: Mapping[str, Any]) -> str:
    state = str(wording.state) % params
    count = params.get("questions")
    if count:
        asked = ngettext("%(count)s question", "%(count)s questions", count) % {"count": count}
        state = f"{state}: {asked}"
    if not wording.numbered:
        return state
    name = gettext("[%(number)s rev. %(letter)s]") % params
    return f"{name} {state}"
