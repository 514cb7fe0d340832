"""What can be wrong with a task document."""


class TaskError(ValueError):
    """A task document holds an impossible value.

    `code` is stable and for programs, `message` is for the person, `field` is the dotted path of
    the field at fault (`recipe.micro_batch`) or None when the document as a whole is at fault.
    A missing field is never an error: it is an unknown.
    """

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    def as_dict(self) -> dict[str, str | None]:
        return {"code": self.code, "message": self.message, "field": self.field}
