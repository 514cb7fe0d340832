// Keys of the pages of a review. Whatever they do, a link or a button on the page does too.
// data-stop   what j and k step through; it takes the focus itself
// data-key    what a key presses: in the stop that has the focus, else anywhere outside of stops
// data-keys   the list of the keys, a <details>; in it the switch and the buttons for j and k
(() => {
  "use strict";

  const OFF = "podbor.keys-off";
  const SECOND_MS = 1500; // how long the second key of «g v» is waited for
  const WRITES = "input:not([type=checkbox], [type=radio]), textarea, select";
  let before = "";
  let waiting = 0;
  let last = "";

  const list = () => document.querySelector("[data-keys]");
  const stopOf = (element) => element?.closest("[data-stop]");
  const stops = () => [...document.querySelectorAll("[data-stop]")].filter((e) => e.checkVisibility());

  // From the stop in which the focus is, else from the place of the focus; the buttons go on from
  // the stop that was stepped to last.
  const step = (forth, from = document.activeElement) => {
    const at = stopOf(from) ?? from;
    const side = forth ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const beyond = (stop) => at.compareDocumentPosition(stop) & side;
    const left = at === document.body ? stops() : stops().filter((stop) => stop !== at && beyond(stop));
    const next = forth ? left[0] : left.at(-1);
    if (!next) return false;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
    last = next.id;
    return true;
  };

  const toggleList = () => {
    const keys = list();
    if (!keys) return false;
    keys.open = !keys.open;
    keys.querySelector("summary").focus();
    return true;
  };

  // A link to a place on the page takes the focus to what can be used there; all else is pressed.
  const usable = (place) => {
    if (place.matches("form")) return place.querySelector("textarea") ?? place;
    const part = place.closest("section") ?? place;
    return part.querySelector("[data-stop]") ?? part.querySelector("a, summary, button:enabled") ?? place;
  };
  const press = (element) => {
    if (!element) return false;
    const place = element.getAttribute("href")?.startsWith("#") && document.querySelector(element.hash);
    if (place) {
      // Not followed: a browser that arrives at an anchor takes the focus away from what has it.
      place.scrollIntoView();
      usable(place).focus({ preventScroll: true });
    } else {
      element.click();
      if (element.matches("summary")) element.focus();
    }
    return true;
  };

  const act = (key) => {
    if (key === "j" || key === "k") return step(key === "j");
    if (key === "?") return toggleList();
    const named = `[data-key="${CSS.escape(key)}"]`;
    const stop = stopOf(document.activeElement);
    const elsewhere = [...document.querySelectorAll(named)].find((element) => !stopOf(element));
    return press(stop?.querySelector(named) ?? elsewhere);
  };

  // On a Cyrillic layout the key of «j» writes «о»: there its place on the keyboard counts.
  const letter = (event) => {
    if (/^[!-~]$/.test(event.key)) return event.key.toLowerCase();
    return /^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase() ?? "";
  };

  const heard = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    const target = event.target;
    if (!(target instanceof Element) || target.isContentEditable || target.closest(WRITES)) return;
    const key = letter(event);
    if (!key || !list() || localStorage.getItem(OFF)) return;
    const whole = before + key;
    clearTimeout(waiting);
    before = "";
    if (whole === "g") {
      before = "g ";
      waiting = setTimeout(() => (before = ""), SECOND_MS);
    } else if (act(whole)) event.preventDefault();
  };

  const switched = (event) => {
    if (!event.target.matches("[data-keys-switch]")) return;
    if (event.target.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  };

  const stepped = (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-step]");
    if (button) step(button.dataset.step === "forth", document.getElementById(last) ?? document.body);
  };

  document.addEventListener("keydown", heard);
  document.addEventListener("change", switched);
  document.addEventListener("click", stepped);
  document.addEventListener("DOMContentLoaded", () => {
    const keys = list();
    if (!keys) return;
    keys.hidden = false;
    keys.querySelector("[data-keys-switch]").checked = !localStorage.getItem(OFF);
  });
})();
