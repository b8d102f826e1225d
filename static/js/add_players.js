/* Search for players to enter: arrows choose, Enter adds. Without this file, Enter searches and Enter again adds. */
"use strict";

/* Enter was pressed before the search results for the text arrived. */
let isAwaited = false;

const field = () => document.getElementById("q");
const candidates = () => [...document.querySelectorAll("#found [data-candidate]:not(:disabled)")];
const written = () => field().value.trim().replace(/\s+/g, " ");
const isAnswered = () => document.getElementById("found").dataset.query === written();

function goTo(element) {
  element?.focus();
  element?.select?.();
}

/* A single match is added. With several, the first is focused. With none, the cursor goes to the new player's rating. */
function takeOrAsk() {
  const found = candidates();
  if (found.length === 1) found[0].click();
  else goTo(found[0] ?? document.getElementById("walk-in-rating"));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const isField = event.target === field();
  const found = candidates();
  const place = found.indexOf(event.target);
  if (event.key === "Enter" && isField && written()) {
    event.preventDefault();
    if (isAnswered()) takeOrAsk();
    else {
      isAwaited = true;
      field().form.requestSubmit();
    }
  } else if (event.key === "ArrowDown" && (isField || place >= 0)) {
    event.preventDefault();
    goTo(found[place + 1] ?? document.getElementById("walk-in-name"));
  } else if (event.key === "ArrowUp" && place >= 0) {
    event.preventDefault();
    goTo(found[place - 1] ?? field());
  } else if (event.key === "Escape" && !isField && event.target.closest("#found")) {
    goTo(field());
  }
});

document.addEventListener("input", (event) => {
  if (event.target === field()) isAwaited = false;
});

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id !== "found" || !isAwaited || !isAnswered()) return;
  isAwaited = false;
  takeOrAsk();
});
