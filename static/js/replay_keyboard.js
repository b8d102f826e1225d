/* Arrow keys for the steps of a round, like the links above the table. Without this file, the links still work. */
"use strict";

(() => {
  const TO = { ArrowLeft: "prev", ArrowRight: "next" };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, summary")) return;
    const link = TO[event.key] && document.querySelector(`#replay a[rel=${TO[event.key]}]`);
    if (!link) return;
    event.preventDefault();
    location.assign(link.href);
  });
})();
