/* Additions to plain links and forms. Everything here is a convenience: it all works without this file. */
"use strict";

/* Say, near the place of the change, that it could not be sent, so that nothing is lost silently. */
function sayProblem(event) {
  /* Forms that are saved offline have their own message. */
  if (event?.type === "htmx:sendError" && event.detail.elt.closest?.("[data-kept-offline]") && navigator.serviceWorker) return;
  const box = document.getElementById("messages");
  const text = document.body.dataset.notSent;
  const line = document.createElement("p");
  line.className = "notice problem";
  line.textContent = text;
  box.replaceChildren(line);
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:sendError", sayProblem);
document.addEventListener("htmx:timeout", sayProblem);
document.addEventListener("htmx:responseError", sayProblem);

/* Submit a form only once, however often the button is clicked. HTMX does this for its own forms. A printout opens in a new
   tab and the page stays, so each of those buttons works once a second. */
const pressedAt = new WeakMap();

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.hasAttribute("hx-post") || form.method !== "post") return;
  if (form.target) {
    const button = submitter ?? form;
    if (event.timeStamp - (pressedAt.get(button) ?? -Infinity) < 1_000) event.preventDefault();
    else pressedAt.set(button, event.timeStamp);
    return;
  }
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

/* Tick all visible boxes of a list: <button data-tick="name-of-boxes">. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tick]");
  if (!button) return;
  const boxes = [...document.querySelectorAll(`input[type=checkbox][name="${button.dataset.tick}"]:not(:disabled)`)];
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all;
});

/* Keyboard shortcuts: the key x focuses a field with data-key="x", and clicks any other element. With data-key-focus it only
   focuses, and Enter clicks. "?" opens the help. A letter's position also counts, for keyboards with other letters. */
function byKey(attribute, event) {
  const found = (key) => document.querySelector(`[data-${attribute}="${CSS.escape(key)}"]:not(:disabled)`);
  return found(event.key) ?? (/^Key[A-Z]$/.test(event.code) ? found(event.code.at(-1).toLowerCase()) : null);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "?") {
    const help = document.getElementById("keys-help");
    if (help) help.open = !help.open;
    return;
  }
  const next = byKey("key-focus", event);
  const wanted = next ?? byKey("key", event);
  if (!wanted) return;
  event.preventDefault();
  if (next || wanted.matches("input, select, textarea")) wanted.focus();
  else wanted.click();
});

/* Scroll the current tab into view if a narrow page cuts off the tabs. */
for (const tab of document.querySelectorAll(".tabs [aria-current]")) tab.scrollIntoView({ block: "nearest", inline: "center" });

/* A device that knows its players pins their boards to the top of their event's pages. Others only load pinned_place.js. */
(() => {
  const slot = document.getElementById("pinned");
  if (slot && ("ask" in slot.dataset || /(^|; )knows-me=/.test(document.cookie))) import(slot.dataset.script);
})();

/* Signing out, or leaving the device, deletes what it has saved, and its notifications. The server also asks the browser
   to do so, but not all browsers do. */
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-forgets") || event.defaultPrevented) return;
  event.preventDefault();
  const pause = () => new Promise((done) => { setTimeout(done, 2_000); });
  const asked = fetch(document.body.dataset.worker ?? location.href, { method: "HEAD", cache: "no-store" });
  const isReached = await Promise.race([asked.then(() => true, () => false), pause().then(() => true)]);
  const forget = async () => {
    sessionStorage.clear();
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe().catch(() => {});
    /* Keep the style sheets and the offline page. */
    const names = (await self.caches?.keys() ?? []).filter((name) => isReached || name !== "files");
    for (const name of names) await caches.delete(name);
  };
  await Promise.race([forget().catch(() => {}), pause()]);
  if (isReached) {
    form.submit();
    return;
  }
  const said = document.createElement("p");
  said.className = "notice care";
  said.setAttribute("role", "alert");
  said.textContent = form.dataset.forgets;
  const main = document.getElementById("main");
  main.replaceChildren(said, ...(main.contains(form) ? [form] : []));
});

/* Event pages and the player's own page work offline. */
(() => {
  const { worker, offline } = document.body.dataset;
  if (!worker || !("serviceWorker" in navigator)) return;
  /* Pages for reporting results include this script themselves, because the buttons must not work without it. */
  const begin = () => { if (offline) import(offline); };
  const register = () => { navigator.serviceWorker.register(worker).catch(() => {}); };
  const isKnown = !offline || navigator.serviceWorker.controller || /(^|; )knows-me=/.test(document.cookie);
  const isFirst = !document.referrer.startsWith(location.origin) && performance.getEntriesByType("navigation")[0]?.type === "navigate";
  if (!isKnown && isFirst) {
    /* Visitors who only look at one page download nothing for it. */
    setTimeout(() => { begin(); register(); }, 20_000);
    return;
  }
  document.addEventListener("DOMContentLoaded", begin);
  window.addEventListener("load", register);
})();

/* The language changes when it is chosen, and so does a filter (data-submits). With the keyboard, where each arrow key
   chooses, the button does it. */
for (const choice of document.querySelectorAll("#language, [data-submits]")) {
  let typed = false;
  choice.addEventListener("keydown", () => (typed = true));
  choice.addEventListener("pointerdown", () => (typed = false));
  choice.addEventListener("change", () => {
    if (!typed) choice.form.requestSubmit();
  });
}

/* Copy the text of an element: <button data-copy="its id" hidden>. Browsers only allow this over HTTPS. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
  });
}
