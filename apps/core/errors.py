"""Errors whose message a person may read."""


class DomainError(Exception):
    """Something that the person can understand and mend; shown as it is.

    `status` is the HTTP status of the page that says it, `code` is stable for tests and support.
    """

    status = 400
    code = "domain-error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Conflict(DomainError):
    """Somebody else was quicker: what the person looked at is not there any more."""

    status = 409
    code = "conflict"


class NotAllowed(DomainError):
    """The person may see this, but not do it."""

    status = 403
    code = "not-allowed"


class Unavailable(DomainError):
    """Nothing is wrong with what was sent, but it cannot be taken now."""

    status = 503
    code = "unavailable"
