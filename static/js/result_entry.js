/* Results by keyboard: a key enters the result of the focused board and moves to the next board without one.
   Without this file, and on touch screens, results are entered with the radio buttons. */
"use strict";

/* Keys by position, whatever letter is printed on them: the club's three keys for ordinary results, and those that are
   the same for all clubs ... */
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
/* ... and characters, wherever a keyboard has them. */
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

/* Results are sent one after another, in the order they were entered. They are stored here by board number, not with the
   row, because responses and news replace rows. */
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
  /* A second result for a waiting board replaces the first. What the user saw of the board is the same. */
  if (before) before.result = result;
  else waiting.push({ board, result, seen: seenOf(row), wasOpen: row.matches(".open"), isAfterOwn: onItsWay?.board === board });
  row.classList.remove("open", "wrong");
  showWaiting();
  sendNext();
}

/* A waiting board shows its new result: the button, or the sign of a result without a button. */
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

/* The row from a response or news does the same. */
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
  /* Cancel the request for the row with all results, because its response would replace this one. */
  const more = row.querySelector("a.more");
  if (more) htmx.trigger(more, "htmx:abort");
  const answered = (event) => {
    if (event.target !== row || onItsWay !== next) return;
    onItsWay = null;
    settle(next, event.detail.xhr.status);
    /* After HTMX has finished the previous request. */
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
  }).catch(() => {}); /* clubnight.js shows the error */
  isAsked = false;
}

/* Show the result that is entered: the row in the response, or else the previous row. */
function settle({ board, wasOpen }, status) {
  const row = rowOf(board);
  if (!row) return;
  const again = waiting.findIndex((other) => other.board === board);
  if (status === 422) {
    /* The row asks which result is right. Drop a result that was entered before this question. */
    if (again >= 0) waiting.splice(again, 1);
  } else if (status !== 200 && status !== 401) {
    row.classList.toggle("open", wasOpen && again < 0);
    row.classList.add("wrong");
    for (const key of row.querySelectorAll("input[type=radio]")) key.checked = key.defaultChecked;
  } else if (status === 200 && waiting[again]?.isAfterOwn) {
    /* It was entered on the row that this response replaced. What the user saw there is their own result. */
    waiting[again].seen = seenOf(row);
  }
  if (status !== 200 && status !== 401) isRefused = true;
  row.classList.toggle("waiting", isSending(board));
  if (!isSending(board)) delete row.querySelector(".keys")?.dataset.waits;
}

/* A tap marks its button and would have HTMX send it. It waits in line instead. A board being sent opens nothing. */
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

/* Links that leave the page wait until everything is sent, and are cancelled if a board was refused. */
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
  /* A menu that was just closed still has the focus, but these keys are not meant for it. */
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
    /* A key held down enters one result, not one on every board. */
    if (!event.repeat) enter(row, result);
  }
});

/* Point out, above the boards, a board that someone else has just entered. The focus stays where the next key is
   expected, so that the key never changes another board. */
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

/* A tap before HTMX was ready marked its button but sent nothing, so send it now. */
document.addEventListener("DOMContentLoaded", () => {
  for (const key of document.querySelectorAll("tr[data-board] input[type=radio]:checked")) {
    if (!key.defaultChecked) key.dispatchEvent(new Event("change", { bubbles: true }));
  }
});
