/* What pages do beyond plain links and forms. Everything here is a convenience: without it all still works. */
"use strict";

/* Tell when a change could not be sent, where the eye is: nothing is ever lost silently. */
function sayProblem(event) {
  /* What is kept until the line is back says so itself. */
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

/* One submission a form, however often the button is pressed. Forms that HTMX sends guard themselves. A paper opens beside
   the page, which stays: there it is one press a second for each button. */
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

/* Ticking every box of a list that is shown: <button data-tick="name-of-boxes">. */
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-tick]");
  if (!button) return;
  const boxes = [...document.querySelectorAll(`input[type=checkbox][name="${button.dataset.tick}"]:not(:disabled)`)];
  const all = boxes.every((box) => box.checked);
  for (const box of boxes) box.checked = !all;
});

/* Keys: an element with data-key="x" is focused (a field) or pressed (anything else) by that key, one with data-key-focus
   is focused, for Enter to press; "?" opens the help. A letter counts by its place, too: keyboards may have other ones. */
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

/* Tabs that a narrow page cuts off: the one that is open is seen. */
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

/* Devices that know whose they are show his board on top of the pages of his event. Others load only pinned_place.js for it. */
(() => {
  const slot = document.getElementById("pinned");
  if (slot && ("ask" in slot.dataset || /(^|; )knows-me=/.test(document.cookie))) import(slot.dataset.script);
})();

/* Whoever leaves takes along what the device has kept for him, notifications as well; the server asks browsers for the
   same, and not all of them listen. */
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
    /* Without a connection the styles stay, and the page that says there is none. */
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

/* Pages of events, and one's own, are there without a connection. */
(() => {
  const { worker, offline } = document.body.dataset;
  if (!worker || !("serviceWorker" in navigator)) return;
  /* A page from which results are reported has it among its own: nothing may be pressed without it. */
  const begin = () => { if (offline) import(offline); };
  const register = () => { navigator.serviceWorker.register(worker).catch(() => {}); };
  const isKnown = !offline || navigator.serviceWorker.controller || /(^|; )knows-me=/.test(document.cookie);
  const isFirst = !document.referrer.startsWith(location.origin) && performance.getEntriesByType("navigation")[0]?.type === "navigate";
  if (!isKnown && isFirst) {
    /* Whoever only looks in once fetches nothing for it. */
    setTimeout(() => { begin(); register(); }, 20_000);
    return;
  }
  document.addEventListener("DOMContentLoaded", begin);
  window.addEventListener("load", register);
})();
