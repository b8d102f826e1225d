/* The door by keyboard: a few letters, Enter, and the first who fits is here; the field is empty again at once for the next.
   Without this file Enter sends the form, which does the same. */
"use strict";

(() => {
  /* What was asked for goes to the server one after another, each with the name as it stood when Enter was pressed. */
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
      /* said by clubnight.js */
    }
    isOnItsWay = false;
    /* Several fit, or nobody: what was written stands again, to be written over, unless the next name is being written. */
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
