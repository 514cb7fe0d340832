"""What may go wrong with people, in words for them."""

from django.utils.translation import gettext as _

from apps.core.errors import Conflict, DomainError, NotAllowed


class LinkSpent(Conflict):
    """The link was good once; `code` says to support what became of it."""

    code = "link-spent"


class AddressTaken(DomainError):
    """The address has an account. Only for people who may know that."""

    code = "address-taken"


class WrongPassword(DomainError):
    code = "wrong-password"


class LastAdministrator(NotAllowed):
    code = "last-administrator"

    def __init__(self) -> None:
        super().__init__(
            _("This is the last administrator. Make somebody else one first, then come back.")
        )
