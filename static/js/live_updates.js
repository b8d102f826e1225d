/* Live updates of an event's page. It listens for news that the event has changed, then requests its own URL again and
   inserts what is different. For a page that is the same for everyone, the news contain the changes for readers of the
   previous state. Without streams it checks every few seconds. Without this file, users reload the page. The reasons are
   in docs/project/decisions/0012-live-updates.md. */
"use strict";

(() => {
  const ASK_EVERY = 5_000; /* without a stream */
  const SILENT_FOR = 40_000; /* a stream sends a heartbeat every 15 seconds, so it is dead by then */
  const TRY_AGAIN = 30_000; /* before opening a refused stream again */
  const RELOAD_AT_MOST_EVERY = 30_000;
  const BEING_SENT = ".htmx-request, tr.waiting"; /* or about to be sent by result_entry.js */
  const MOST_CARRIED = 20; /* news whose changes are kept, for pages that are behind */
  const LEAVES_WITHIN = 10_000; /* by then, a link or form has opened another page, or never will (a download or an empty response) */

  /* In a frame on another site, browsers may block storage. */
  const storage = (() => {
    try {
      return window.sessionStorage;
    } catch {
      return null;
    }
  })();

  const place = document.getElementById("live");
  const lost = document.getElementById("live-lost");
  if (!place) return;

  const address = place.dataset.stream;
  let version = place.dataset.version;
  let heard = "";
  let mark = "";
  let markedAddress = "";
  let marked = ""; /* the text with this mark */
  const carried = [];
  let stream = null;
  let heardAt = 0;
  let refusedAt = 0;
  const keptAt = Date.parse(document.documentElement.dataset.keptAt); /* set if the page comes from the device's offline copy */
  let goodAt = keptAt || Date.now();
  let timer = 0;
  let isForNews = false;
  let isAsking = false;
  let askAgain = false;
  let isBehind = false;
  let sentMeanwhile = false;
  let leavingSince = 0;

  /* ---------- listening ---------- */

  function listen() {
    if (!address || stream || document.hidden) return;
    heardAt = Date.now();
    stream = new EventSource(address);
    stream.addEventListener("message", (event) => {
      const [current, within, from, to, steps] = JSON.parse(event.data);
      heardAt = refusedAt = Date.now();
      heard = String(current);
      if (from) carried.push({ from, to, steps });
      if (carried.length > MOST_CARRIED) carried.shift();
      follow();
      if (heard === version) sayFound();
      else askSoon(within, true);
    });
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) {
        stop();
        refusedAt = Date.now();
      }
      askSoon(1);
    });
  }

  function stop() {
    stream?.close();
    stream = null;
  }

  const ownAddress = () => location.pathname + location.search;
  const isListening = () => stream?.readyState === EventSource.OPEN;

  /* ---------- asking ---------- */

  /* `forNews`: requested only because of news, and not needed if the next news contain the changes. */
  function askSoon(within, forNews = false) {
    isForNews = forNews && (isForNews || !timer);
    if (timer) return;
    timer = setTimeout(() => {
      timer = 0;
      if (!isForNews || heard !== version) ask();
    }, Math.random() * within * 1000);
  }

  async function ask() {
    /* The session has ended and the user is about to sign in, so the page must not change. It contains what they sent. */
    if (document.querySelector("[data-ended]")) return;
    if (isAsking) {
      askAgain = true;
      return;
    }
    isAsking = true;
    askAgain = sentMeanwhile = false;
    const asked = ownAddress();
    try {
      const headers = { "HX-Request": "true", "HX-Target": "live" };
      if (mark && asked === markedAddress) Object.assign(headers, { "If-None-Match": mark, "Live-Changes": "1" });
      const answer = await fetch(asked, {
        headers,
        cache: "no-store",
        signal: AbortSignal.timeout(15_000),
      });
      const text = answer.status === 304 ? "" : await textOf(answer);
      if (document.querySelector("[data-ended]")) isBehind = true;
      else if (sentMeanwhile || asked !== ownAddress()) askAgain = true;
      else if (text) takeIn(text, answer.headers.get("ETag") ?? "");
      sayFound();
    } catch {
      sayLost();
    }
    isAsking = false;
    follow();
    if (askAgain) askSoon(0.2);
  }

  /* The current part: as sent, or put together from the changes since our mark. */
  async function textOf(answer) {
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) return answer.text();
    return putTogether(await answer.json());
  }

  function putTogether(steps) {
    const pieces = marked.split(/(?=<tr |<li |\n)/);
    return steps.map((step) => (typeof step === "string" ? step : pieces.slice(...step).join(""))).join("");
  }

  /* News contain the changes since earlier states. A page with one of these states applies them in order, with those that
     arrived during its own request. A page with another state requests everything. */
  function follow() {
    for (const { from, to, steps } of carried) {
      if (isAsking || !mark || markedAddress !== ownAddress()) return;
      if (mark.replace(/^W\//, "") === from) takeIn(putTogether(steps), to);
    }
  }

  function takeIn(text, newMark) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const state = fresh.getElementById("live");
    if (!state) throw new Error("no part of a page");
    isBehind = false;
    /* The URL now redirects to another event. */
    if (state.dataset.of !== place.dataset.of) {
      reload();
      return;
    }
    const parts = [...fresh.querySelectorAll("[data-live]")];
    const ids = parts.map((part) => part.id).join();
    if (ids !== liveParts().map((part) => part.id).join()) {
      reload();
      return;
    }
    for (const part of parts) bringUp(document.getElementById(part.id), part);
    version = state.dataset.version;
    sayPublished(state);
    mark = isBehind ? "" : newMark;
    marked = mark ? text : "";
    markedAddress = ownAddress();
    watchTimes();
    document.dispatchEvent(new CustomEvent("clubnight:updated"));
  }

  /* The page has become a different one: a round was published, finished or unpublished. If the user is already following a
     link, do not reload, because that would cancel it. */
  function reload() {
    const last = storage ? Number(storage.getItem("reloaded")) : performance.timeOrigin;
    const isLeaving = Date.now() - leavingSince < LEAVES_WITHIN;
    if (isLeaving || liveParts().some(isTouched) || Date.now() - last < RELOAD_AT_MOST_EVERY) {
      isBehind = true;
      return;
    }
    storage?.setItem("reloaded", Date.now());
    location.reload();
  }

  /* ---------- putting in what has changed ---------- */

  /* The parts as the server sent them, for comparison, because the page itself changes while it is used. */
  const sent = new Map();
  const liveParts = () => [...document.querySelectorAll("[data-live]")];
  const rowsOf = (part) => [...part.querySelectorAll("tr[id], li[id]")];
  const sourceOf = (element) =>
    element.outerHTML.replace(/(name="csrfmiddlewaretoken" value=")[^"]*/g, "$1").replace(/\s+/g, " ");

  function noted(part) {
    const rows = new Map(rowsOf(part).map((row) => [row.id, sourceOf(row)]));
    const shell = part.cloneNode(true);
    for (const row of rowsOf(shell)) row.replaceWith(row.id);
    return { rows, shell: sourceOf(shell) };
  }

  function bringUp(shown, fresh) {
    const before = sent.get(shown.id);
    const now = noted(fresh);
    const sameRows = [...now.rows.keys()].join() === rowsOf(shown).map((row) => row.id).join();
    if (before && before.shell === now.shell && sameRows) {
      const rows = new Map(rowsOf(fresh).map((row) => [row.id, row]));
      for (const row of rowsOf(shown)) {
        const source = now.rows.get(row.id);
        if (before.rows.get(row.id) === source) continue;
        if (isTouched(row)) {
          isBehind = true;
          continue;
        }
        put(rows.get(row.id), row);
        before.rows.set(row.id, source);
      }
    } else if (isTouched(shown)) {
      isBehind = true;
    } else {
      put(fresh, shown);
      sent.set(shown.id, now);
    }
  }

  /* The element is in use: it has the focus, asks a question, has unsent input, or is being sent. */
  function isTouched(element) {
    if (element.querySelector("[data-asks]")) return true;
    const focus = document.activeElement;
    if (element.contains(focus) && !focus.matches("a, summary")) return true;
    if (element.matches(BEING_SENT) || element.querySelector(BEING_SENT)) return true;
    return [...element.querySelectorAll("input, select, textarea")].some((field) => {
      if (field.type === "hidden") return false;
      if (field.type === "radio" || field.type === "checkbox") return field.checked !== field.defaultChecked;
      if (field.tagName === "SELECT") {
        return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
      }
      return field.value !== field.defaultValue;
    });
  }

  function put(fresh, shown) {
    const focus = shown.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const open = [...shown.querySelectorAll("details")].map((details) => details.open);
    const element = document.importNode(fresh, true);
    const details = [...element.querySelectorAll("details")];
    if (details.length === open.length) details.forEach((each, place) => { each.open = open[place]; });
    if (element.matches("tr, li")) element.classList.add("changed");
    shown.replaceWith(element);
    window.htmx?.process(element); /* visitors have no HTMX */
    if (focus) element.querySelector(`a[href="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  /* The page itself has inserted something, so what the server sent before no longer describes it. */
  function forget(element) {
    for (const part of liveParts()) {
      if (!part.contains(element) && !element.contains(part)) continue;
      const row = part.contains(element) && element.closest("tr[id], li[id]");
      if (row) sent.get(part.id)?.rows.delete(row.id);
      else sent.delete(part.id);
    }
  }

  /* ---------- saying how it stands ---------- */

  /* For screen readers, in text that stays, even if the page was reloaded because of it. */
  function sayPublished(state) {
    const { rounds = "", boards = "", published = "" } = state.dataset;
    Object.assign(place.dataset, { rounds, boards });
    const kept = `published ${place.dataset.of}`;
    const before = storage?.getItem(kept) ?? null;
    storage?.setItem(kept, published);
    const said = document.getElementById("said");
    if (said && before !== null && published && published !== before) said.textContent = published;
  }

  function sayFound() {
    goodAt = Date.now();
    lost.hidden = true;
  }

  function sayLost() {
    const good = new Date(goodAt);
    const isToday = good.toDateString() === new Date().toDateString();
    const day = isToday ? {} : { day: "numeric", month: "long" };
    lost.querySelector("strong").textContent =
      good.toLocaleString(document.documentElement.lang, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    lost.hidden = false;
  }

  /* ---------- when to look ---------- */

  /* Provisional pairings become final at a set time, without any action. */
  function watchTimes() {
    for (const part of document.querySelectorAll("[data-until]:not([data-watched])")) {
      part.dataset.watched = "yes";
      const wait = new Date(part.dataset.until) - Date.now();
      if (wait < 86_400_000) setTimeout(() => askSoon(3), Math.max(0, wait) + 500);
    }
  }

  setInterval(() => {
    if (document.hidden) return;
    if (stream && Date.now() - heardAt > SILENT_FOR) stop();
    if (!stream && Date.now() - refusedAt > TRY_AGAIN) listen();
    if (!isListening() || isBehind) askSoon(1);
  }, ASK_EVERY);

  function comeBack() {
    if (document.hidden) {
      stop();
    } else {
      refusedAt = 0;
      listen();
      if (!address) askSoon(0);
    }
  }

  /* A hidden page does not listen. */
  document.addEventListener("visibilitychange", comeBack);
  window.addEventListener("pageshow", (event) => { if (event.persisted) { leavingSince = 0; comeBack(); } });
  window.addEventListener("beforeunload", () => { leavingSince = Date.now(); });
  window.addEventListener("pagehide", stop);
  window.addEventListener("offline", () => { stop(); askSoon(0); });
  window.addEventListener("online", () => { stop(); comeBack(); });
  /* The page now shows another part of a long list. */
  document.addEventListener("clubnight:turned", () => askSoon(0));
  document.addEventListener("focusout", () => { if (isBehind) askSoon(0.2); });

  /* A response requested before something was sent shows the earlier state. */
  for (const name of ["htmx:beforeRequest", "htmx:beforeSwap"]) document.addEventListener(name, () => { sentMeanwhile = true; });
  const afterPutting = (event) => {
    sentMeanwhile = true;
    forget(event.target);
    if (isBehind) askSoon(0.2);
  };
  document.addEventListener("htmx:afterSettle", afterPutting);
  document.addEventListener("clubnight:found", afterPutting);

  for (const part of liveParts()) sent.set(part.id, noted(part));
  sayPublished(place);
  watchTimes();
  if (keptAt) {
    sayLost();
    askSoon(0);
  }
  listen();
  /* Request the mark in advance, so that the first news can contain the changes for a page that stays open. */
  if ("carries" in place.dataset) setTimeout(() => { if (!mark && isListening()) askSoon(15); }, 5_000);
})();
