"""Why a file could not be read."""

from apps.core.errors import DomainError


class ConfigError(DomainError):
    """A file that cannot be read; the message says what to mend and never quotes the file.

    Codes: `too-large`, `too-deep`, `not-text`, `bad-syntax`, `duplicate-key`, `not-finite`,
    `tag-refused`, `unknown-format`, `unreadable`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
