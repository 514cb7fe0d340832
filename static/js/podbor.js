// Progressive enhancement only: every page works without this file.
(() => {
  "use strict";

  // After a failed submit the summary of errors takes the focus.
  const focusErrors = (root) => {
    const summary = root.querySelector("[data-focus-first]");
    if (summary) summary.focus();
  };

  // Typing an answer takes back «I do not know» of the same question.
  const answerTakesBackUnknown = (event) => {
    const field = event.target;
    if (!(field instanceof Element) || field.matches("[data-unknown]")) return;
    if (field.closest(".unknown-more")) return;
    const unknown = field.closest(".q")?.querySelector("input[type=checkbox][data-unknown]");
    if (unknown && field.value !== "") unknown.checked = false;
  };

  // <button type="button" data-copy="#id"> copies the text of that element and says so.
  const copy = async (event) => {
    const button = event.target instanceof Element && event.target.closest("[data-copy]");
    if (!button) return;
    const source = document.querySelector(button.dataset.copy);
    if (!source || !navigator.clipboard) return;
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    if (button.dataset.copied) button.textContent = button.dataset.copied;
  };

  // The footer's switches load the page anew: what is typed in its forms comes back. Passwords and
  // files stay behind; a page whose form goes along by itself (`kept_form`) needs none of this.
  const KEPT = "podbor.typed";
  const here = () => location.pathname + location.search;
  const typedFields = () => {
    const named = document.querySelectorAll("main textarea[name], main select[name], main input[name]");
    return [...named].filter((field) => !["hidden", "password", "file", "submit"].includes(field.type));
  };
  const state = (field) => (["radio", "checkbox"].includes(field.type) ? field.checked : field.value);
  const keepTyped = (event) => {
    if (!event.target.matches("footer form")) return;
    const fields = typedFields().map((field) => [field.name, state(field)]);
    sessionStorage.setItem(KEPT, JSON.stringify({ page: here(), fields }));
  };
  const bringBackTyped = () => {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    sessionStorage.removeItem(KEPT);
    if (kept?.page !== here()) return;
    typedFields().forEach((field, index) => {
      const [name, value] = kept.fields[index] ?? [];
      if (name !== field.name) return;
      if (typeof value === "boolean") field.checked = value;
      else field.value = value;
    });
  };

  document.addEventListener("input", answerTakesBackUnknown);
  document.addEventListener("submit", keepTyped);
  document.addEventListener("click", copy);
  document.addEventListener("htmx:afterSwap", (event) => focusErrors(event.target));
  document.addEventListener("DOMContentLoaded", () => {
    bringBackTyped();
    focusErrors(document);
  });
})();
