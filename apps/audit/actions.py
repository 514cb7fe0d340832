"""Every action that is recorded, and the sentence that it is shown as."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ACTIONS: dict[str, Promise] = {
    "requisition.create": _("started the requisition"),
    "requisition.create-revision": _("opened the next revision"),
    "requisition.submit": _("sent it for assessment"),
    "requisition.finish-estimates": _("estimates finished"),
    "requisition.take": _("took it for review"),
    "requisition.give-back": _("put it back into the queue"),
    "requisition.request-changes": _("asked for changes"),
    "requisition.send-to-approval": _("sent it to approval"),
    "requisition.return": _("returned it to the engineer"),
    "requisition.approve": _("approved it"),
    "requisition.reject": _("rejected it"),
    "requisition.redirect": _("redirected it"),
    "requisition.withdraw": _("withdrew it"),
    "requisition.supersede": _("superseded by a later revision"),
    "requisition.attach": _("attached a file"),
    "requisition.detach": _("removed a file"),
    "review.annotate": _("left a remark"),
    "review.override": _("set their own value"),
    "review.override-remove": _("took their own value back"),
    "review.recalculate": _("started the calculation again"),
    "review.question-assign": _("named who answers a question"),
    "review.question-close": _("closed a question"),
    "review.retry-job": _("started a failed calculation again"),
    "document.download": _("downloaded the document"),
    "catalog.sync": _("updated the catalog"),
}
