"""A page as a script without a browser sees it: forms, links, visible text."""

from dataclasses import dataclass, field
from email.message import Message
from html.parser import HTMLParser
from urllib.parse import urljoin

Attributes = dict[str, str]
UNSEEN = {"script", "style", "template", "head"}
BUTTONS = {"submit", "image", "button", "reset"}


@dataclass(slots=True)
class Form:
    """A form with what a browser would send if the person changed nothing."""

    action: str
    method: str
    values: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    choices: dict[str, list[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, formaction

    def has(self, *names: str) -> bool:
        return set(names) <= self.names

    def filled(self, answers: dict[str, str | list[str]]) -> list[tuple[str, str]]:
        """The pairs to send when `answers` replace what the form held.

        Raises LookupError for a field that the form does not have, or for a value that a choice
        does not offer: a person could not send it either.
        """
        for name, answer in answers.items():
            if name not in self.names:
                raise LookupError(f"the form has no field {name!r}; it has {sorted(self.names)}")
            offered = self.choices.get(name)
            wanted = [answer] if isinstance(answer, str) else answer
            if offered is not None and not set(wanted) <= set(offered):
                raise LookupError(f"{name!r} offers {offered}, not {wanted}")
        pairs = [(name, value) for name, value in self.values if name not in answers]
        for name, answer in answers.items():
            pairs += [(name, v) for v in ([answer] if isinstance(answer, str) else answer)]
        return pairs


@dataclass(slots=True)
class Page:
    """One answer of the server, read."""

    url: str
    status: int
    headers: Attributes
    body: bytes
    forms: list[Form] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)  # absolute address, text
    refreshes: list[str] = field(default_factory=list)  # what htmx would load again by itself
    text: str = ""

    @property
    def file_name(self) -> str:
        """The name that a downloaded file has by its headers."""
        message = Message()
        message["Content-Disposition"] = self.headers.get("content-disposition", "")
        return message.get_filename() or ""

    def form_with(self, *names: str) -> Form:
        """The first form that has all these fields or buttons."""
        for form in self.forms:
            if form.has(*names):
                return form
        held = [sorted(form.names) for form in self.forms]
        raise LookupError(f"{self.url} has no form with {names}; its forms have {held}")

    def form_to(self, ending: str) -> Form:
        """The first form whose address ends so."""
        for form in self.forms:
            if form.action.endswith(ending):
                return form
        held = [form.action for form in self.forms]
        raise LookupError(f"{self.url} has no form to …{ending}; its forms go to {held}")

    def link_to(self, part: str) -> str:
        """The first link whose address contains `part`."""
        for address, _ in self.links:
            if part in address:
                return address
        raise LookupError(f"{self.url} has no link with {part!r}")


def read_page(url: str, status: int, headers: Attributes, body: bytes) -> Page:
    page = Page(url=url, status=status, headers=headers, body=body)
    if "html" in headers.get("content-type", ""):
        reader = _Reader(page)
        reader.feed(body.decode("utf-8", errors="replace"))
        reader.close()
        page.text = " ".join(" ".join(reader.words).split())
    return page


class _Reader(HTMLParser):
    """Fills a Page. Controls outside a form count when their form= names one by id."""

    def __init__(self, page: Page) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.words: list[str] = []
        self.by_id: dict[str, Form] = {}
        self.open_form: Form | None = None
        self.unseen_depth = 0
        self.textarea: tuple[Form, str, list[str]] | None = None
        self.select: tuple[Form, str, bool] | None = None
        self.select_values: list[tuple[str, bool]] = []
        self.link: tuple[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in UNSEEN:
            self.unseen_depth += 1
        if "hx-get" in given:
            self.page.refreshes.append(urljoin(self.page.url, given["hx-get"]))
        handler = getattr(self, f"_open_{tag}", None)
        if handler:
            handler(given)

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self.unseen_depth = max(0, self.unseen_depth - 1)
        handler = getattr(self, f"_close_{tag}", None)
        if handler:
            handler()

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.textarea[2].append(data)
        elif not self.unseen_depth:
            self.words.append(data)
            if self.link:
                self.link[1].append(data)

    def _form_of(self, given: Attributes) -> Form | None:
        return self.by_id.get(given["form"]) if "form" in given else self.open_form

    def _open_form(self, given: Attributes) -> None:
        action = urljoin(self.page.url, given.get("action") or self.page.url)
        self.open_form = Form(action=action, method=given.get("method", "get").lower())
        self.page.forms.append(self.open_form)
        if "id" in given:
            self.by_id[given["id"]] = self.open_form

    def _close_form(self) -> None:
        self.open_form = None

    def _open_a(self, given: Attributes) -> None:
        if "href" in given:
            self.link = (urljoin(self.page.url, given["href"]), [])

    def _close_a(self) -> None:
        if self.link:
            self.page.links.append((self.link[0], " ".join("".join(self.link[1]).split())))
            self.link = None

    def _open_input(self, given: Attributes) -> None:
        form, name, kind = self._form_of(given), given.get("name"), given.get("type", "text")
        if form is None or not name or "disabled" in given:
            return
        if kind in BUTTONS:
            self._open_button(given)
        elif kind == "file":
            form.files.add(name)
            form.names.add(name)
        elif kind in {"checkbox", "radio"}:
            value = given.get("value", "on")
            form.names.add(name)
            form.choices.setdefault(name, []).append(value)
            if "checked" in given:
                form.values.append((name, value))
        else:
            form.names.add(name)
            form.values.append((name, given.get("value", "")))

    def _open_button(self, given: Attributes) -> None:
        form, name = self._form_of(given), given.get("name", "")
        if form is None or given.get("type", "submit") not in {"submit", "image"}:
            return
        action = urljoin(self.page.url, given["formaction"]) if "formaction" in given else ""
        form.buttons.append((name, given.get("value", ""), action))
        if name:
            form.names.add(name)

    def _open_textarea(self, given: Attributes) -> None:
        form, name = self._form_of(given), given.get("name")
        if form is not None and name:
            self.textarea = (form, name, [])

    def _close_textarea(self) -> None:
        if self.textarea:
            form, name, parts = self.textarea
            form.names.add(name)
            form.values.append((name, "".join(parts).removeprefix("\n")))
            self.textarea = None

    def _open_select(self, given: Attributes) -> None:
        form, name = self._form_of(given), given.get("name")
        if form is not None and name:
            self.select, self.select_values = (form, name, "multiple" in given), []

    def _open_option(self, given: Attributes) -> None:
        if self.select:
            self.select_values.append((given.get("value", ""), "selected" in given))

    def _close_select(self) -> None:
        if not self.select:
            return
        form, name, multiple = self.select
        form.names.add(name)
        form.choices[name] = [value for value, _ in self.select_values]
        chosen = [value for value, selected in self.select_values if selected]
        if not chosen and not multiple:
            chosen = form.choices[name][:1]
        form.values += [(name, value) for value in chosen]
        self.select = None
