/* Results by keyboard: a key enters the result of the board in focus and goes on to the next open one.
   Without this file, and on touch screens, the same boards are entered by their radio buttons. */
"use strict";

/* Keys at the same place of every keyboard, whatever letters are printed on them: the club's three for an ordinary
   game, and those that are the same for all ... */
const BY_CLUB = {
  score: { Digit1: "1-0", Numpad1: "1-0", Digit5: "1/2", Numpad5: "1/2", KeyD: "1/2", Digit0: "0-1", Numpad0: "0-1" },
  order: { Digit1: "1-0", Numpad1: "1-0", Digit2: "1/2", Numpad2: "1/2", Digit3: "0-1", Numpad3: "0-1" },
  letters: { KeyW: "1-0", KeyD: "1/2", KeyB: "0-1" },
};
const BY_PLACE = {
  ...BY_CLUB[document.querySelector("[data-keys]")?.dataset.keys ?? "score"],
  NumpadAdd: "+/-", NumpadSubtract: "-/+", KeyF: "-/-",
  Backspace: "", Delete: "",
};
/* ... and signs, wherever a keyboard has them. */
const BY_SIGN = { "=": "1/2", "½": "1/2", "+": "+/-", "-": "-/+", "−": "-/+" };

const boards = () => [...document.querySelectorAll("tr[data-board]")];
const openBoards = () => boards().filter((row) => row.classList.contains("open"));
const current = () => document.activeElement?.closest("tr[data-board]");

function go(row) {
  if (!row) return;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function nextOpen(row) {
  const number = Number(row.dataset.board);
  const open = openBoards().filter((other) => other !== row);
  return open.find((other) => Number(other.dataset.board) > number) ?? open[0];
}

function wantedResult(event) {
  const isDigit = /^(Digit|Numpad)/.test(event.code);
  if (isDigit && !event.shiftKey && event.code in BY_PLACE) return BY_PLACE[event.code];
  if (event.key in BY_SIGN) return BY_SIGN[event.key];
  return event.shiftKey ? undefined : BY_PLACE[event.code];
}

function enter(row, result) {
  const { board } = row.dataset;
  const next = nextOpen(row);
  const seen = row.querySelector(`[name="seen-${board}"]`).value;
  /* The answer puts a new row in this one's place: keep the focus out of it. */
  row.classList.remove("open");
  if (next) go(next);
  htmx.ajax("POST", row.getAttribute("hx-post"), {
    source: row,
    target: row,
    swap: "outerHTML",
    values: { [`result-${board}`]: result, [`seen-${board}`]: seen },
  });
  if (!next) document.getElementById(`board-${board}`)?.focus({ preventScroll: true });
}

function moveAlong(row, step) {
  const keys = [...row.querySelectorAll("input[type=radio], a.more")];
  const place = keys.indexOf(document.activeElement) + step;
  keys[Math.max(0, Math.min(keys.length - 1, place))]?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input:not([type=radio]), select, textarea, summary, a:not(.more), button")) return;
  const row = current() ?? openBoards()[0];
  if (!row) return;
  const all = boards();
  const place = all.indexOf(row);
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    go(current() ? all[place + (event.key === "ArrowDown" ? 1 : -1)] : row);
  } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    event.preventDefault();
    moveAlong(row, event.key === "ArrowRight" ? 1 : -1);
  } else if (event.key === "Enter" && event.target === row) {
    event.preventDefault();
    row.querySelector("a.more")?.click();
  } else {
    const result = wantedResult(event);
    if (result === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    enter(row, result);
  }
});

/* A board somebody else has entered meanwhile is pointed out above the boards. The focus stays where the next key is
   expected: that key must never decide about another board. */
function pointOut(row) {
  const link = document.createElement("a");
  link.href = `#${row.id}`;
  link.textContent = row.querySelector(".refused").textContent.trim();
  const line = document.createElement("p");
  line.className = "notice problem";
  line.append(link);
  const box = document.getElementById("messages");
  box.append(line);
  box.hidden = false;
}

document.addEventListener("htmx:afterSettle", (event) => {
  const row = event.target.closest?.("tr[data-board]");
  if (!row) return;
  if (row.querySelector(".refused")) {
    if (current()) pointOut(row);
    else go(row);
  } else if (row.querySelector(".other-results")) {
    row.querySelector("input[type=radio]").focus();
  }
});

/* A tap that came before HTMX was ready has marked its key and sent nothing: send it now. */
document.addEventListener("DOMContentLoaded", () => {
  for (const key of document.querySelectorAll("tr[data-board] input[type=radio]:checked")) {
    if (!key.defaultChecked) key.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
