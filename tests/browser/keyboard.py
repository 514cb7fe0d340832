"""A person who has no mouse: Tab, Shift+Tab, Space, Enter and arrows, and what each stop shows."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

from tests.browser.steps import SLOW_MS, calm

MOST_STOPS = 120  # before what a person came for; a longer way needs a link that leads past it
# What holds of every stop, WCAG 2.4.7 and 2.4.11: the element is there, is marked, and nothing
# that stays in place while the page scrolls lies on it. A stop is asked after the browser has
# scrolled to it.
STOP = """() => {
  const e = document.activeElement;
  if (e === document.body) return {name: "body", wrong: []};
  const wrong = [];
  const style = getComputedStyle(e);
  if (!e.checkVisibility({visibilityProperty: true, opacityProperty: true})) wrong.push("hidden");
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) wrong.push("no outline");
  const box = e.getClientRects()[0] ?? e.getBoundingClientRect();
  const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
  const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
  if (right - left < 4 || bottom - top < 4) wrong.push("out of the window");
  else for (const y of [top + 2, bottom - 2]) {
    const over = document.elementFromPoint((left + right) / 2, y);
    let lid = over;
    while (lid && !["fixed", "sticky"].includes(getComputedStyle(lid).position)) lid = lid.parentElement;
    if (lid && !lid.contains(e)) { wrong.push(`covered by ${lid.className}`); break; }
  }
  const name = e.id || e.name || e.textContent.trim().slice(0, 40);
  return {name: `${e.tagName.toLowerCase()} ${name}`, wrong};
}"""
FOCUSED = "e => e === document.activeElement"


@dataclass
class Keyboard:
    """The keys of one window; `wrong` is what stops on the way did not show, `stops` their count."""

    page: Page
    wrong: list[str] = field(default_factory=list)
    stops: int = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def _stop(self) -> str:
        found = self.page.evaluate(STOP)
        self.stops += 1
        where = self.page.url.split("/", 3)[3]
        self.wrong += [f"/{where} {found['name']}: {problem}" for problem in found["wrong"]]
        name: str = found["name"]
        return name

    def is_on(self, wanted: Locator) -> bool:
        return bool(wanted.evaluate_all(f"all => all.some({FOCUSED})"))

    def tab_to(self, wanted: Locator, *, key: str = "Tab") -> None:
        """Go from stop to stop until the wanted one, which must be reached before a circle ends."""
        passed: list[str] = []
        for _ in range(MOST_STOPS):
            self.press(key)
            passed.append(self._stop())
            if self.is_on(wanted):
                return
            if passed.count("body") > 1:
                break
        raise AssertionError(f"{self.page.url}: {wanted} is not reached by {key}: {passed[-12:]}")

    @contextmanager
    def leaving(self) -> Iterator[None]:
        with self.page.expect_navigation(timeout=SLOW_MS):
            yield

    def follow(self, wanted: Locator) -> None:
        """Tab to a link or a button that leads to another page, and press it."""
        self.tab_to(wanted)
        with self.leaving():
            self.press("Enter")

    def write(self, wanted: Locator, text: str) -> None:
        self.tab_to(wanted)
        self.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(text)

    def tick(self, wanted: Locator) -> None:
        self.tab_to(wanted)
        if not wanted.is_checked():
            self.press("Space")

    def choose(self, name: str, value: str) -> None:
        """One of several: Tab to the group, then arrows until the choice, as they come."""
        group = self.page.locator(f"main [type=radio][name='{name}']")
        wanted = self.page.locator(f"main [type=radio][name='{name}'][value='{value}']")
        self.tab_to(group)
        for _ in range(group.count()):
            if self.is_on(wanted):
                break
            self.press("ArrowDown")
            self._stop()
        assert self.is_on(wanted), f"{self.page.url}: arrows do not reach {name}={value}"
        self.press("Space")
        assert wanted.is_checked()
        calm(self.page)  # questions come and go, and the choice keeps the focus meanwhile
        assert self.is_on(wanted), f"{self.page.url}: {name} loses the focus when it is saved"
