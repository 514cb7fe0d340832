"""The words of every event: a heading for lists and subjects, what it means, where to go on.

Nothing here may tell more than the number and the letters: mails leave the house.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Wording:
    """`heading` has %(number)s and %(letter)s; `link` stands before the address in a mail."""

    heading: Text
    text: Text
    link: Text


@dataclass(frozen=True, slots=True)
class Words:
    """A wording with its parameters filled in, in the language of the moment."""

    heading: str
    text: str
    link: str


_YOUR_PAGE = _("Your requisition:")
_THE_PAGE = _("The requisition:")

EVENTS: dict[str, Wording] = {
    "please-confirm": Wording(
        _("Please check and confirm your requisition"),
        _(
            "Our manager has filled in a requisition for you. Check the answers, correct what is"
            " wrong, and send it: nothing goes on before you confirm."
        ),
        _("The answers:"),
    ),
    "receipt": Wording(
        _("%(number)s rev. %(letter)s: received"),
        _(
            "We have received your requisition, and the calculation has started. An engineer"
            " checks it next. We will write when there is a question or a result."
        ),
        _YOUR_PAGE,
    ),
    "submitted": Wording(
        _("%(number)s rev. %(letter)s: new requisition"),
        _("A client has sent a requisition for assessment."),
        _THE_PAGE,
    ),
    "resubmitted": Wording(
        _("%(number)s rev. %(letter)s: sent again"),
        _("The client has sent a new revision. The work goes on with it."),
        _THE_PAGE,
    ),
    "estimation-failed": Wording(
        _("%(number)s rev. %(letter)s: the calculation failed"),
        _(
            "A part of the calculation could not be done. The page says which one; it can be"
            " started again there."
        ),
        _THE_PAGE,
    ),
    "time-nearly-over": Wording(
        _("%(number)s rev. %(letter)s: most of the time is used"),
        _("Four fifths of the working time for the assessment are used."),
        _THE_PAGE,
    ),
    "time-over": Wording(
        _("%(number)s rev. %(letter)s: the assessment is late"),
        _("The working time for the assessment is over."),
        _THE_PAGE,
    ),
    "auto-returned": Wording(
        _("%(number)s rev. %(letter)s: back in the queue"),
        _("You did nothing with it for long, so that somebody else may take it now."),
        _THE_PAGE,
    ),
    "taken": Wording(
        _("%(number)s rev. %(letter)s: an engineer has taken it"),
        _("The engineer checks the answers and the calculation."),
        _THE_PAGE,
    ),
    "value-accepted": Wording(
        _("%(number)s rev. %(letter)s: the client accepts your value"),
        _("It stands in the assessment as accepted by the client."),
        _THE_PAGE,
    ),
    "value-declined": Wording(
        _("%(number)s rev. %(letter)s: the client declines your value"),
        _("Read why on the page of the review: set another value, or let it stand as declined."),
        _THE_PAGE,
    ),
    "questions": Wording(
        _("%(number)s rev. %(letter)s: please clarify"),
        _(
            "The engineer has questions about your requisition. Answer them on its page and send it"
            " again: the work goes on from there."
        ),
        _("Questions and answers:"),
    ),
    "changes-requested": Wording(
        _("%(number)s rev. %(letter)s: waits for the client"),
        _("The engineer has asked the client for clarification."),
        _THE_PAGE,
    ),
    "sent-to-approval": Wording(
        _("%(number)s rev. %(letter)s: waits for approval"),
        _("The engineer has checked the assessment and sent it to approval."),
        _("The assessment:"),
    ),
    "returned": Wording(
        _("%(number)s rev. %(letter)s: returned to the engineer"),
        _("The approver has returned the assessment. The reason is on its page."),
        _THE_PAGE,
    ),
    "approved": Wording(
        _("%(number)s rev. %(letter)s: the assessment is approved"),
        _(
            "The preliminary expert assessment is approved. Its document can be downloaded from the"
            " page of the requisition. It is not a price offer."
        ),
        _("The page with the document:"),
    ),
    "rejected": Wording(
        _("%(number)s rev. %(letter)s: rejected"),
        _("The requisition has been rejected. The reason is on its page."),
        _THE_PAGE,
    ),
    "redirected": Wording(
        _("%(number)s rev. %(letter)s: another way comes first"),
        _(
            "We advise to go another way before a server for training is chosen. Which one and why"
            " is on the page of the requisition. The answers are kept."
        ),
        _THE_PAGE,
    ),
    "withdrawn": Wording(
        _("%(number)s rev. %(letter)s: withdrawn"),
        _("The client has withdrawn the requisition. Nothing more is to be done."),
        _THE_PAGE,
    ),
    "guest-answered": Wording(
        _("A colleague has answered a section"),
        _("Somebody whom you invited by a link has answered a section of your requisition."),
        _("Who answered what:"),
    ),
    "guest-lacking": Wording(
        _("A colleague lacks data for a section"),
        _(
            "Somebody whom you invited by a link has looked at a section of your requisition and"
            " says that data is missing. What they wrote is on the page."
        ),
        _("Who answered what:"),
    ),
    "guest-asks-again": Wording(
        _("A colleague asks for a new link"),
        _(
            "The time of a link to a section of your requisition is over, and somebody who has it"
            " wants to go on. Let the link work longer, or revoke it."
        ),
        _("The links:"),
    ),
    "superseded": Wording(
        _("%(number)s rev. %(letter)s: replaced by rev. %(successor)s"),
        _(
            "Revision %(successor)s of the assessment is approved and takes the place of revision"
            " %(letter)s. Please do not use the earlier document any more."
        ),
        _("The page with the document:"),
    ),
}


def words_of(event: str, params: Mapping[str, Any]) -> Words:
    """The words of an event in the language of the moment.

    Raises:
        KeyError: there is no such event, or a parameter is missing.
    """
    wording = EVENTS[event]
    return Words(
        heading=str(wording.heading) % params,
        text=str(wording.text) % params,
        link=str(wording.link),
    )
