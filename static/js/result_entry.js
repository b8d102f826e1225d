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

/* ---------- sending ---------- */

/* What was pressed goes to the server one after another, in the order in which it was pressed. It waits here, by the number
   of its board, and not with the row: an answer, and news of what others do, put another row in that one's place. */
const waiting = [];
let onItsWay = null;
let isAsked = false; /* by this file, not by a tap */

const rowOf = (board) => document.getElementById(`board-${board}`);
const seenOf = (row) => row.querySelector(`[name="seen-${row.dataset.board}"]`).value;
const isBusy = () => onItsWay !== null || waiting.length > 0;
const isSending = (board) => onItsWay?.board === board || waiting.some((press) => press.board === board);

function press(row, result) {
  const { board } = row.dataset;
  const before = waiting.find((other) => other.board === board);
  /* A second press on a board that waits is the one that counts; what was seen of the board is the same. */
  if (before) before.result = result;
  else waiting.push({ board, result, seen: seenOf(row), wasOpen: row.matches(".open"), isAfterOwn: onItsWay?.board === board });
  row.classList.remove("open", "wrong");
  showWaiting();
  sendNext();
}

/* A board that waits shows what was pressed on it: its key, or the sign of a result that has none there. */
function showWaiting() {
  for (const { board, result } of onItsWay ? [onItsWay, ...waiting] : waiting) {
    const row = rowOf(board);
    if (!row) continue;
    row.classList.add("waiting");
    const all = [...row.querySelectorAll("input[type=radio]")];
    for (const key of all) key.checked = key.value === result;
    const keys = row.querySelector(".keys");
    if (all.some((key) => key.checked)) delete keys.dataset.waits;
    else keys.dataset.waits = result || "·";
  }
}

/* So does the row that an answer or news has put in its place. */
new MutationObserver(showWaiting).observe(document.body, { childList: true, subtree: true });

function sendNext() {
  if (onItsWay) return;
  const next = waiting.shift();
  if (!next) {
    goOn();
    return;
  }
  const row = rowOf(next.board);
  if (!row) {
    sayProblem();
    sendNext();
    return;
  }
  onItsWay = next;
  /* The row with every result was asked for: its answer would take this one's place. */
  const more = row.querySelector("a.more");
  if (more) htmx.trigger(more, "htmx:abort");
  const answered = (event) => {
    if (event.target !== row || onItsWay !== next) return;
    onItsWay = null;
    settle(next, event.detail.xhr.status);
    /* When HTMX has done with the one before. */
    queueMicrotask(sendNext);
  };
  row.addEventListener("htmx:afterRequest", answered);
  row.addEventListener("htmx:onLoadError", answered);
  isAsked = true;
  htmx.ajax("POST", row.getAttribute("hx-post"), {
    source: row,
    target: row,
    swap: "outerHTML",
    values: { [`result-${next.board}`]: next.result, [`seen-${next.board}`]: next.seen },
  }).catch(() => {}); /* said by clubnight.js */
  isAsked = false;
}

/* The board shows what is entered: the row of the answer, or else the one that stood there before. */
function settle({ board, wasOpen }, status) {
  const row = rowOf(board);
  if (!row) return;
  const again = waiting.findIndex((other) => other.board === board);
  if (status === 422) {
    /* The row asks what is right; another press on it was made before it asked. */
    if (again >= 0) waiting.splice(again, 1);
  } else if (status !== 200 && status !== 401) {
    row.classList.toggle("open", wasOpen && again < 0);
    row.classList.add("wrong");
    for (const key of row.querySelectorAll("input[type=radio]")) key.checked = key.defaultChecked;
  } else if (status === 200 && waiting[again]?.isAfterOwn) {
    /* It was pressed on the row that this answer took the place of: what was seen since is one's own result. */
    waiting[again].seen = seenOf(row);
  }
  if (status !== 200 && status !== 401) isRefused = true;
  row.classList.toggle("waiting", isSending(board));
  if (!isSending(board)) delete row.querySelector(".keys")?.dataset.waits;
}

/* A tap marks its key and asks HTMX to send it: it waits with the others. A board that is being sent opens nothing. */
document.addEventListener("htmx:confirm", (event) => {
  const row = event.target.closest("tr[data-board]");
  if (!row || isAsked) return;
  if (event.detail.verb === "post") {
    event.preventDefault();
    const key = row.querySelector("input[type=radio]:checked");
    if (key) press(row, key.value);
  } else if (isSending(row.dataset.board)) {
    event.preventDefault();
  }
});

/* ---------- leaving the page ---------- */

/* Who presses what leads away from here gets there when everything has been sent, and stays when a board was refused. */
let leave = null;
let isRefused = false;

function goOn() {
  const then = isRefused ? null : leave;
  leave = null;
  isRefused = false;
  then?.();
}

document.addEventListener("submit", (event) => {
  if (!isBusy()) return;
  const { target: form, submitter } = event;
  event.preventDefault();
  event.stopImmediatePropagation();
  leave = () => {
    const [now] = form.isConnected ? [form] : document.querySelectorAll(`form[action="${CSS.escape(form.getAttribute("action"))}"]`);
    now?.requestSubmit(now === form && submitter?.isConnected ? submitter : null);
  };
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]:not([hx-get], [target], [download], [href^='#'], .why-mark)");
  if (!link || !isBusy() || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  leave = () => { location.href = link.href; };
}, true);

window.addEventListener("beforeunload", (event) => { if (isBusy()) event.preventDefault(); });

/* ---------- keys ---------- */

function enter(row, result) {
  const next = nextOpen(row);
  press(row, result);
  go(next ?? rowOf(row.dataset.board));
}

function moveAlong(row, step) {
  const keys = [...row.querySelectorAll("input[type=radio], a.more, .more summary")].filter((key) => key.checkVisibility());
  const place = keys.indexOf(document.activeElement) + step;
  keys[Math.max(0, Math.min(keys.length - 1, place))]?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  /* A menu that was closed has the focus still, and nobody means it by these keys. */
  if (event.target.closest("input:not([type=radio]), select, textarea, [open] > summary, a:not(.more), button")) return;
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
    row.querySelector("a.more, .more summary")?.click();
  } else {
    const result = wantedResult(event);
    if (result === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    /* A key that is held down is one press, not one for every board. */
    if (!event.repeat) enter(row, result);
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
    row.querySelector(".other-results input").focus();
  }
});

/* A tap that came before HTMX was ready has marked its key and sent nothing: send it now. */
document.addEventListener("DOMContentLoaded", () => {
  for (const key of document.querySelectorAll("tr[data-board] input[type=radio]:checked")) {
    if (!key.defaultChecked) key.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
