// A form with data-autosave saves itself while somebody types in it. Without this file, its own
// buttons save it; with it, nothing typed is lost to a closed tab, a failed network or a late answer.
(() => {
  "use strict";

  const KEPT = "podbor.unsaved";
  const PAUSE_MS = 2000; // text is saved when the typing pauses, not only when the field is left
  const RETRY_MS = 5000;
  const SAY_MS = 10000; // a screen reader hears about saving no more often
  const LEAVE_MS = 4000; // a link waits for the save that far

  const form = document.querySelector("form[data-autosave]");
  const here = form?.getAttribute("hx-post") ?? "";

  // What a page could not save before it went. It waits for that page as long as nothing but steps
  // back from the browser's own page of errors come between: any other page of ours has been sent.
  const readKept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  const writeKept = (pages) => sessionStorage.setItem(KEPT, JSON.stringify(pages));
  const takeKept = () => {
    const step = performance.getEntriesByType("navigation")[0]?.type;
    const pages = readKept();
    for (const page of pages) page.refused ||= step === "back_forward";
    writeKept(pages.filter((page) => page.here !== here && page.refused));
    return pages.find((page) => page.here === here && (page.refused || !page.submitting || step === "reload"));
  };
  const kept = takeKept();

  if (!form) return;
  const line = document.getElementById("saved");

  // Moments are counted by keystrokes: what was typed after a save began is not saved by it.
  let typed = 0;
  let sent = 0;
  let saved = 0;
  let submitting = false;
  let leavingTo = "";
  let pauseTimer = 0;
  let retryTimer = 0;
  const unheard = new Map(); // field -> values that were sent and not confirmed: they are our own
  const unsaved = () => saved < typed;

  const saveNow = () => form.dispatchEvent(new Event("save"));
  const saveIfNeeded = () => {
    if (unsaved()) saveNow();
  };

  const seen = new WeakMap();
  const noteTyping = ({ target }) => {
    const isText = !["radio", "checkbox"].includes(target.type);
    if (isText && seen.get(target) === target.value) return;
    seen.set(target, target.value);
    typed += 1;
    window.clearTimeout(pauseTimer);
    pauseTimer = window.setTimeout(saveIfNeeded, PAUSE_MS);
  };

  const cookieToken = () => /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1];
  const completeSending = ({ formData }) => {
    // Signing in anew in another tab makes the token of this page stale.
    const token = cookieToken();
    if (token) formData.set("csrfmiddlewaretoken", token);
    for (const [name, values] of unheard) {
      for (const value of values) formData.append(`${name}-unheard`, value);
    }
  };
  const rememberSending = (data) => {
    sent = typed;
    for (const name of data.getAll("asked")) {
      const value = data.get(name);
      if (typeof value !== "string") continue;
      unheard.set(name, (unheard.get(name) ?? new Set()).add(value));
    }
  };

  // What is not saved must be seen wherever the page is scrolled to.
  const warn = (isUnsaved) => line.classList.toggle("saved-not", isUnsaved);
  const say = (text) => {
    line.textContent = text ?? "";
    warn(true);
  };
  const leave = () => {
    const address = leavingTo;
    leavingTo = "";
    if (address) location.assign(address);
  };
  const beforeSending = (event) => {
    if (event.target !== form) return;
    if (unsaved()) rememberSending(event.detail.requestConfig.formData);
    else event.preventDefault();
  };
  const afterSending = (event) => {
    if (event.target !== form) return;
    const { status, getResponseHeader } = event.detail.xhr;
    window.clearTimeout(retryTimer);
    if (status === 200) {
      const outcome = getResponseHeader.call(event.detail.xhr, "X-Saved");
      if (outcome !== "none") unheard.clear();
      if (outcome === "all") saved = sent;
      warn(outcome !== "all");
      if (!unsaved() || outcome !== "all") leave();
      return;
    }
    if (status >= 400 && status < 500) say(form.dataset.saveRefused);
    else {
      say(form.dataset.saveFailed);
      retryTimer = window.setTimeout(saveIfNeeded, RETRY_MS);
    }
    leave();
  };

  // A link of the page waits until what was just typed is saved.
  const followAfterSaving = (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href]");
    const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !plain || event.defaultPrevented || link.target || !unsaved()) return;
    if (link.origin !== location.origin || link.pathname + link.search === location.pathname + location.search) return;
    event.preventDefault();
    leavingTo = link.href;
    saveNow();
    window.setTimeout(leave, LEAVE_MS);
  };

  // What the page cannot save before it goes is kept in this tab, and comes back with the page.
  const isChoice = (field) => ["radio", "checkbox"].includes(field.type);
  const isChanged = (field) => {
    if (isChoice(field)) return field.checked !== field.defaultChecked;
    if (field.options) return [...field.options].some((o) => o.selected !== o.defaultSelected);
    return field.value !== field.defaultValue;
  };
  const controls = () => [...form.elements].filter((f) => f.name && !["hidden", "submit"].includes(f.type));
  const versionOf = (name) => form.elements.namedItem(`${name}-version`);
  const keep = () => {
    const fields = controls()
      .filter(isChanged)
      .map((f) => ({
        name: f.name,
        value: f.value,
        checked: isChoice(f) ? f.checked : null,
        version: versionOf(f.name)?.value ?? null,
      }));
    writeKept([...readKept(), { here, submitting, fields }]);
  };
  const bringBack = () => {
    for (const { name, value, checked, version } of kept?.fields ?? []) {
      const field = controls().find((f) => f.name === name && (checked === null || f.value === value));
      if (!field) continue;
      if (checked === null) field.value = value;
      else field.checked = checked;
      if (version !== null && versionOf(name)) versionOf(name).value = version;
      typed += 1;
    }
    window.setTimeout(saveIfNeeded);
  };

  const beforeUnload = (event) => {
    if (unsaved() && !submitting) event.preventDefault();
  };
  const hidden = () => {
    if (!unsaved() || submitting) return;
    const data = new FormData(form);
    rememberSending(data);
    navigator.sendBeacon(here, data);
  };
  const visibility = () => (document.visibilityState === "hidden" ? hidden() : saveIfNeeded());
  const gone = () => {
    if (unsaved() || submitting) keep();
  };

  // The line about saving changes with every save; it is read out at most once in SAY_MS.
  const said = document.getElementById("saved-said");
  let saidAt = -SAY_MS;
  let sayTimer = 0;
  const readOut = () => {
    sayTimer = 0;
    saidAt = performance.now();
    said.textContent = line.textContent.trim();
  };
  const readOutSoon = () => {
    if (!sayTimer) sayTimer = window.setTimeout(readOut, Math.max(0, saidAt + SAY_MS - performance.now()));
  };

  form.addEventListener("input", noteTyping);
  form.addEventListener("change", noteTyping);
  form.addEventListener("formdata", completeSending);
  form.addEventListener("submit", () => {
    submitting = true;
  });
  form.addEventListener("htmx:beforeRequest", beforeSending);
  form.addEventListener("htmx:afterRequest", afterSending);
  document.addEventListener("click", followAfterSaving);
  document.addEventListener("visibilitychange", visibility);
  window.addEventListener("online", saveIfNeeded);
  window.addEventListener("beforeunload", beforeUnload);
  window.addEventListener("pagehide", gone);
  window.addEventListener("pageshow", () => {
    submitting = false;
  });
  document.addEventListener("DOMContentLoaded", bringBack);
  new MutationObserver(readOutSoon).observe(line, { childList: true, characterData: true, subtree: true });
})();
