/* Check-in by keyboard: a few letters and Enter check in the first match, and the field is cleared for the next player.
   Without this file, Enter submits the form, which does the same. */
"use strict";

(() => {
  /* Requests are sent one after another, each with the text at the time Enter was pressed. */
  const waiting = [];
  let isOnItsWay = false;

  const form = () => document.getElementById("door-search");
  const field = () => document.getElementById("q");
  const hidden = (name) => document.querySelector(`#found [name="${name}"]`)?.value ?? "";

  async function sendNext() {
    const values = waiting.shift();
    if (!values) return;
    isOnItsWay = true;
    try {
      await htmx.ajax("POST", form().getAttribute("action"), { source: form(), target: "#found", swap: "outerHTML", values });
    } catch {
      /* clubnight.js shows the error */
    }
    isOnItsWay = false;
    /* Several matches, or none: the text is restored and selected, unless the next name is being typed. */
    const shown = document.getElementById("found").dataset.query;
    if (field() && !waiting.length) {
      if (!field().value && shown) {
        field().value = shown;
        field().select();
      } else if (field().value.trim() !== shown) htmx.trigger(field(), "again");
    }
    sendNext();
  }

  document.addEventListener("submit", (event) => {
    if (event.target !== form() || event.submitter?.value === "shown") return;
    event.preventDefault();
    const q = field().value.trim();
    if (q) {
      htmx.trigger(field(), "htmx:abort");
      waiting.push({ find: "here", q, first: hidden("first"), of: hidden("of") });
      field().value = "";
      if (!isOnItsWay) sendNext();
    }
    field().focus();
  });
})();
