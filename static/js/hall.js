/* The hall's screen turns its own pages. Of a long list the server sends a part at a time: live.js brings in the next
   one, as it brings in what has changed. */
"use strict";

(() => {
  const ROUND_TRIP = 60; /* seconds in which everyone should have seen his board */
  const SHORTEST = 6;
  const LONGEST = 12;

  const indicator = document.getElementById("hall-page");
  const clock = document.getElementById("hall-clock");
  const pauseButton = document.querySelector("[data-hall=pause]");
  let page = 0;
  let landing = null; /* which page of the part that was asked for to show, 0 or -1 */
  let since = Date.now();
  let isPaused = false;

  /* Lines flow into columns as high as the screen; a page is as many columns as are seen at once. */
  function pages() {
    const list = document.querySelector(".hall-list");
    if (!list) return { list, count: 1, width: 0 };
    const width = list.getBoundingClientRect().width + (parseFloat(getComputedStyle(list).columnGap) || 0);
    return { list, count: Math.max(1, Math.ceil((list.scrollWidth - 2) / width)), width };
  }

  /* Which part of the list is here, and of how many. */
  function part() {
    const { page: number, pages: all, lines } = document.getElementById("hall-shown").dataset;
    return { number: Number(number), all: Number(all), lines };
  }

  /* Says how many pages there are, of all parts together if they are as long as this one. */
  function show(wanted) {
    const { list, count, width } = pages();
    const { all, lines } = part();
    page = ((wanted % count) + count) % count;
    if (list) list.scrollLeft = page * width;
    indicator.textContent = `${page + 1} / ${count}${all > 1 ? ` (${lines})` : ""}`;
    return count * all;
  }

  function turn(step) {
    since = Date.now();
    const { number, all } = part();
    const isWithin = page + step >= 0 && page + step < pages().count;
    if (isWithin || all === 1) show(page + step);
    else ask(((number - 1 + step + all) % all) + 1, step < 0 ? -1 : 0);
  }

  function ask(number, place) {
    const query = new URLSearchParams(location.search);
    query.set("page", number);
    history.replaceState(null, "", `?${query}`);
    landing = place;
    document.dispatchEvent(new CustomEvent("clubnight:turned"));
  }

  function updated() {
    if (landing !== null) since = Date.now();
    show(landing ?? page);
    landing = null;
  }

  function pause() {
    isPaused = !isPaused;
    pauseButton.setAttribute("aria-pressed", isPaused);
    since = Date.now();
  }

  function tick() {
    const now = new Date();
    clock.textContent = now.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
    const all = show(page);
    const wait = Math.min(LONGEST, Math.max(SHORTEST, ROUND_TRIP / all));
    if (!isPaused && all > 1 && now - since >= wait * 1000) turn(1);
  }

  const ACTIONS = { back: () => turn(-1), on: () => turn(1), pause };
  const KEYS = {
    ArrowLeft: ACTIONS.back, PageUp: ACTIONS.back,
    ArrowRight: ACTIONS.on, PageDown: ACTIONS.on,
    " ": pause, p: pause,
  };

  document.addEventListener("click", (event) => ACTIONS[event.target.closest("[data-hall]")?.dataset.hall]?.());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    if (event.key === " " && event.target.closest("button")) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  /* A computer that nobody touches for hours must not go to sleep. Possible over HTTPS only. */
  const stayAwake = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  document.addEventListener("clubnight:updated", updated);
  window.addEventListener("resize", () => show(page));
  setInterval(tick, 500);
  tick();
})();
