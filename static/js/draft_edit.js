/* Edit a draft by keyboard and by dragging. Without this file, the same boxes and buttons do it in two clicks. */
"use strict";

const form = () => document.getElementById("change");
const boxes = () => [...document.querySelectorAll("#editing .seat input:enabled")];
const seatOf = (box) => box.closest(".seat");
const nameOf = (box) => seatOf(box).querySelector(".name").textContent.trim();
const rowOf = (element) => element.closest("tr[data-board]");
const pickedUp = () => boxes().find((box) => box.checked);
const isWaiting = (box) => seatOf(box).dataset.seat === "unpaired";

/* Where to put the focus after the response: a seat, not a player, because the player has moved. */
let goTo = null;
let isSending = false;

function placeOf(box) {
  const { seat } = seatOf(box).dataset;
  const row = rowOf(box);
  return { seat, board: row ? Number(row.dataset.board) : 0, player: box.value };
}

function boxAt(place) {
  const all = boxes();
  const here = (seat, board) => all.find((box) => placeOf(box).seat === seat && placeOf(box).board === board);
  if (place.follow) return document.getElementById(`player-${place.player}`) ?? all[0];
  return here(place.seat, place.board) ?? here(place.seat, place.board - 1) ?? all[0];
}

function say(text) {
  const line = document.createElement("p");
  line.className = "notice";
  line.textContent = text;
  document.getElementById("said").replaceChildren(line);
}

/* Send what a button of the form would send, with these players ticked. */
function send(values, place) {
  if (isSending) return;
  isSending = true;
  goTo = place;
  const data = new FormData();
  data.set("version", form().elements.version.value);
  for (const [name, value] of values) data.append(name, value);
  htmx.ajax("POST", form().action, {
    source: form(),
    target: "#editing",
    swap: "outerHTML",
    values: Object.fromEntries([...data.keys()].map((name) => [name, data.getAll(name)])),
  });
}

const swap = (one, other, place) => {
  const both = [["player", one.value], ["player", other.value]];
  send([[isWaiting(one) && isWaiting(other) ? "pair" : "swap", "1"], ...both], place);
};

/* Two ticked players are swapped at once. */
document.addEventListener("change", (event) => {
  const box = event.target;
  if (!box.matches("#editing .seat input")) return;
  const ticked = boxes().filter((other) => other.checked);
  if (ticked.length === 2) {
    const first = ticked.find((other) => other !== box);
    swap(first, box, placeOf(box));
  } else if (ticked.length === 1) {
    say(form().dataset.pickedUp.replace("NAME", nameOf(ticked[0])));
  }
});

/* ---------- keyboard ---------- */

/* Columns of seats as displayed: White and the bye on the left, Black on the right. */
function neighbour(box, key) {
  const all = boxes();
  const column = (one) => (seatOf(one).dataset.seat === "black" ? 1 : 0);
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const row = rowOf(box);
    return row?.querySelector(`[data-seat="${key === "ArrowLeft" ? "white" : "black"}"] input`);
  }
  const inColumn = all.filter((one) => column(one) === column(box));
  const next = inColumn[inColumn.indexOf(box) + (key === "ArrowDown" ? 1 : -1)];
  return next ?? (column(box) && key === "ArrowDown" ? all.find((one) => seatOf(one).dataset.seat === "bye") : undefined);
}

function press(name) {
  const button = document.getElementById(`${name}-button`);
  const box = document.activeElement?.closest("#editing .seat input");
  if (!button || button.matches(":disabled") || isSending) return;
  isSending = true;
  goTo = box ? placeOf(box) : null;
  button.click();
}

function onBoard(box, key, code) {
  const row = rowOf(box);
  const { board } = row?.dataset ?? {};
  if (code === "KeyC" && row) send([["turn", board]], placeOf(box));
  else if (code === "KeyB") send([["bye", "1"], ["player", box.value]], placeOf(box));
  else if (key === "Delete" && row) send([["unpair", board]], placeOf(box));
  else if (key === "Delete" && seatOf(box).dataset.seat === "bye") send([["take_bye", "1"]], placeOf(box));
  else return false;
  return true;
}

function pressed({ key, code, ctrlKey, altKey, shiftKey }) {
  const box = document.activeElement?.closest("#editing .seat input");
  if (ctrlKey) {
    if (code !== "KeyZ" && key.toLowerCase() !== "z") return false;
    press(shiftKey ? "redo" : "undo");
  } else if (altKey) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (!step || !box || !rowOf(box)) return false;
    const board = Number(rowOf(box).dataset.board);
    send([["move", "1"], ["board", board], ["to", board + step]], { ...placeOf(box), follow: true });
  } else if (key === "Escape") {
    for (const one of boxes()) one.checked = false;
  } else if (key.startsWith("Arrow")) {
    const next = box ? neighbour(box, key) : document.activeElement === document.body && boxes()[0];
    if (!next) return false;
    focusOn(next);
  } else if (code === "KeyU") {
    press("undo");
  } else if (key === " " && box) {
    box.click();
  } else {
    return box ? onBoard(box, key, code) : false;
  }
  return true;
}

/* Keys pressed during a request are handled after it, so that none is lost or acts on pairings not yet seen. */
const waiting = [];

document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.metaKey || !form()) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  if (isSending && !["Tab", "Shift", "Control", "Alt"].includes(event.key)) {
    event.preventDefault();
    const { key, code, ctrlKey, altKey, shiftKey } = event;
    waiting.push({ key, code, ctrlKey, altKey, shiftKey });
  } else if (event.key !== " " && pressed(event)) {
    event.preventDefault();
  }
});

/* One stop for the Tab key. The arrow keys move on from there. */
function focusOn(box) {
  for (const one of boxes()) one.tabIndex = one === box ? 0 : -1;
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest" });
}

function oneStop() {
  const all = boxes();
  const stop = all.find((box) => box.tabIndex === 0 && box === document.activeElement) ?? all[0];
  for (const box of all) box.tabIndex = box === stop ? 0 : -1;
}

document.addEventListener("focusin", (event) => {
  if (!event.target.matches("#editing .seat input")) return;
  for (const one of boxes()) one.tabIndex = one === event.target ? 0 : -1;
});

document.addEventListener("htmx:afterSettle", () => {
  oneStop();
  if (!isSending) return;
  isSending = false;
  if (goTo) {
    const box = boxAt(goTo);
    if (box) focusOn(box);
  }
  goTo = null;
  while (waiting.length && !isSending) pressed(waiting.shift());
});
for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failed, () => {
    isSending = false;
    waiting.length = 0;
    for (const box of boxes()) box.checked = false;
  });
}
document.addEventListener("DOMContentLoaded", oneStop);

/* ---------- dragging, by mouse, pen or finger ---------- */

const FAR_ENOUGH = 6;
let drag = null;
let wasDragged = false;

/* Drop targets: a player, the list of unpaired players, the row of the bye, or, for a board, another board. */
function targetAt(x, y) {
  const under = document.elementFromPoint(x, y);
  if (!under?.closest("#editing")) return null;
  if (drag.board) return under.closest("tr[data-board]");
  const seat = under.closest(".seat");
  if (seat && seat !== drag.from) return seat;
  return seat ? null : under.closest("[data-place]");
}

function mark(target) {
  if (drag.target === target) return;
  drag.target?.classList.remove("drop-here");
  target?.classList.add("drop-here");
  drag.target = target;
}

function begin(event) {
  drag.isOn = true;
  drag.ghost = document.createElement("div");
  drag.ghost.className = "ghost";
  drag.ghost.textContent = drag.board
    ? form().dataset.boardWord.replace("NUMBER", drag.board)
    : drag.from.querySelector(".name").textContent;
  document.body.append(drag.ghost);
  drag.from.classList.add("dragged");
  drag.from.setPointerCapture(event.pointerId);
}

function end() {
  drag?.ghost?.remove();
  drag?.target?.classList.remove("drop-here");
  drag?.from.classList.remove("dragged");
  drag = null;
}

function drop({ from, target, board }) {
  if (board) {
    if (target.dataset.board !== board) send([["move", "1"], ["board", board], ["to", target.dataset.board]], null);
    return;
  }
  const box = from.querySelector("input");
  if (target.matches(".seat")) {
    const other = target.querySelector("input");
    swap(box, other, placeOf(other));
  } else if (target.dataset.place === "bye") {
    send([["bye", "1"], ["player", box.value]], null);
  } else if (from.dataset.seat === "bye") {
    send([["take_bye", "1"]], null);
  } else if (rowOf(from)) {
    send([["unpair", rowOf(from).dataset.board]], null);
  }
}

document.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || isSending || event.target.matches("input")) return;
  if (event.pointerType === "touch" && !event.target.closest(".grip, .handle")) return;
  const from = event.target.closest("#editing fieldset:enabled .seat, #editing fieldset:enabled .handle");
  if (!from) return;
  drag = { from, x: event.clientX, y: event.clientY, isOn: false, target: null };
  if (from.matches(".handle")) drag.board = rowOf(from).dataset.board;
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.isOn) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR_ENOUGH) return;
    begin(event);
  }
  event.preventDefault();
  drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  mark(targetAt(event.clientX, event.clientY));
  if (event.clientY < 60) window.scrollBy(0, -12);
  else if (event.clientY > window.innerHeight - 90) window.scrollBy(0, 12);
});

document.addEventListener("pointerup", () => {
  if (!drag) return;
  const done = drag;
  end();
  if (!done.isOn) return;
  wasDragged = true;
  setTimeout(() => (wasDragged = false), 100);
  if (done.target) drop(done);
});
/* Ignore the click after a drag, which would tick the dragged label's box. */
document.addEventListener("pointerdown", () => (wasDragged = false), true);
document.addEventListener("click", (event) => wasDragged && event.preventDefault(), true);
document.addEventListener("pointercancel", end);
document.addEventListener("keydown", (event) => event.key === "Escape" && drag && end());
