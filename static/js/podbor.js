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

  // A form with data-autosave posts itself through htmx. When that fails, say so and try again.
  const RETRY_MS = 5000;
  const saveFailed = (event) => {
    const form = event.target instanceof Element && event.target.closest("form[data-autosave]");
    if (!form) return;
    const line = document.getElementById("saved");
    if (line) line.textContent = form.dataset.saveFailed ?? "";
    window.setTimeout(() => form.dispatchEvent(new Event("change", { bubbles: true })), RETRY_MS);
  };

  document.addEventListener("input", answerTakesBackUnknown);
  document.addEventListener("click", copy);
  document.addEventListener("htmx:sendError", saveFailed);
  document.addEventListener("htmx:responseError", saveFailed);
  document.addEventListener("htmx:afterSwap", (event) => focusErrors(event.target));
  document.addEventListener("DOMContentLoaded", () => focusErrors(document));
})();
