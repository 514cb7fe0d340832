// The fingerprint of a file is worked out here: the file itself is never sent.
(() => {
  "use strict";

  const place = document.getElementById("by-file");
  if (!place || !window.crypto?.subtle) return;
  place.hidden = false;
  const said = place.querySelector("[role=status]");

  const ask = async (file) => {
    if (!file) return;
    said.textContent = said.dataset.busy;
    try {
      const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
      const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0"));
      location.assign(`${place.dataset.address}?sha256=${hex.join("")}`);
    } catch {
      said.textContent = said.dataset.failed;
    }
  };

  place.querySelector("input").addEventListener("change", (event) => ask(event.target.files[0]));
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    ask(event.dataTransfer.files[0]);
  });
})();
