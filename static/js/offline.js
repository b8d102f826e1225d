/* An offline page: it shows when it was saved, keeps its latest state, and stores results that could not be sent. Loaded
   by clubnight.js, and by pages for reporting results. See docs/project/decisions/0025-offline.md. */
"use strict";

(() => {
  const KEEP_EVERY = 10_000;
  const worker = navigator.serviceWorker;
  if (!worker) return;
  let keptAt = 0;
  let timer = 0;

  /* The page was loaded before the worker started. */
  if (!worker.controller) worker.ready.then(({ active }) => active.postMessage({ isFirst: true }));

  /* ---------- what the page has become ---------- */

  function keepPage() {
    clearTimeout(timer);
    const wait = keptAt + KEEP_EVERY - Date.now();
    if (wait > 0 && !document.hidden) {
      timer = setTimeout(keepPage, wait);
      return;
    }
    keptAt = Date.now();
    const shown = document.documentElement.cloneNode(true);
    shown.querySelector("#pinned")?.replaceChildren();
    shown.querySelector("#pinned")?.setAttribute("hidden", "");
    shown.querySelector("#live-lost")?.setAttribute("hidden", "");
    shown.querySelector("#messages")?.replaceChildren();
    worker.controller?.postMessage({ shows: `<!DOCTYPE html>\n${shown.outerHTML}` });
  }

  document.addEventListener("clubnight:updated", keepPage);

  /* ---------- a result that could not be sent ---------- */

  const box = document.getElementById("kept-result");
  const here = location.pathname + location.search;

  async function say() {
    if (!box) return;
    const kept = (await keptResults.all()).find(({ page }) => page === here);
    box.hidden = !kept;
    if (!kept) return;
    const state = !kept.changed ? "waits" : kept.isOpen ? "open" : "taken";
    for (const each of box.querySelectorAll("[data-says]")) each.hidden = !each.dataset.says.split(" ").includes(state);
    for (const each of box.querySelectorAll("[data-words]")) each.textContent = kept.words;
    box.querySelector("[data-does=send]").hidden = state !== "open";
    const act = async (does) => {
      if (does === "drop") await keptResults.drop(kept);
      else await keptResults.put({ ...kept, agreed: true });
      if (does === "send") await sendAll();
      await say();
    };
    for (const button of box.querySelectorAll("[data-does]")) button.onclick = () => act(button.dataset.does);
  }

  async function sendAll() {
    if (!box) return;
    const before = (await keptResults.all()).length;
    await keptResults.sendAll();
    await say();
    if (before > (await keptResults.all()).length) location.reload();
  }

  document.addEventListener("htmx:sendError", async (event) => {
    const form = event.detail.elt.closest?.("form[data-kept-offline]");
    if (!form || !box) return;
    const fields = Object.fromEntries(event.detail.requestConfig.formData ?? Object.entries(event.detail.requestConfig.parameters));
    const words = form.querySelector(`[name=result][value="${CSS.escape(fields.result)}"]`)?.textContent ?? fields.result;
    delete fields.csrfmiddlewaretoken;
    await keptResults.put({ action: form.action, page: here, fields, words, at: Date.now() });
    await say();
    box.scrollIntoView({ block: "nearest" });
    const registration = await worker.ready;
    await registration.sync?.register(keptResults.TAG).catch(() => {});
  });

  window.addEventListener("online", sendAll);
  worker.addEventListener("message", say);
  if (document.documentElement.dataset.keptAt) say();
  else sendAll();

  /* ---------- nothing kept of this address: what else there is ---------- */

  async function list() {
    const place = document.getElementById("kept-pages");
    if (!place) return;
    const pages = await caches.open("pages");
    for (const each of (await pages.keys()).reverse()) {
      const answer = await pages.match(each);
      const html = await answer.text();
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.className = "line";
      link.href = each.url;
      link.textContent = new DOMParser().parseFromString(html, "text/html").title;
      const time = document.createElement("span");
      time.className = "soft small";
      const at = new Date(answer.headers.get("date") ?? "");
      if (!isNaN(at)) time.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
      link.append(" ", time);
      line.append(link);
      place.append(line);
    }
    place.previousElementSibling.hidden = !place.firstElementChild;
  }

  list();
})();
