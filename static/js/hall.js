/* The hall's screen turns its own pages. live.js brings in what has changed. */
"use strict";

(() => {
  const ROUND_TRIP = 60; /* seconds in which everyone should have seen his board */
  const SHORTEST = 6;
  const LONGEST = 12;

  const indicator = document.getElementById("hall-page");
  const clock = document.getElementById("hall-clock");
  const pauseButton = document.querySelector("[data-hall=pause]");
  let page = 0;
  let since = Date.now();
  let isPaused = false;

  /* Lines flow into columns as high as the screen; a page is as many columns as are seen at once. */
  function pages() {
    const list = document.querySelector(".hall-list");
    if (!list) return { list, count: 1, width: 0 };
    const width = list.clientWidth + (parseFloat(getComputedStyle(list).columnGap) || 0);
    return { list, count: Math.max(1, Math.ceil((list.scrollWidth - 2) / width)), width };
  }

  function show(wanted) {
    const { list, count, width } = pages();
    page = ((wanted % count) + count) % count;
    if (list) list.scrollLeft = page * width;
    indicator.textContent = `${page + 1} / ${count}`;
    return count;
  }

  function turn(step) {
    since = Date.now();
    show(page + step);
  }

  function pause() {
    isPaused = !isPaused;
    pauseButton.setAttribute("aria-pressed", isPaused);
    since = Date.now();
  }

  function tick() {
    const now = new Date();
    clock.textContent = now.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
    const count = show(page);
    const wait = Math.min(LONGEST, Math.max(SHORTEST, ROUND_TRIP / count));
    if (!isPaused && count > 1 && now - since >= wait * 1000) turn(1);
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

  document.addEventListener("clubnight:updated", () => show(page));
  window.addEventListener("resize", () => show(page));
  setInterval(tick, 500);
  tick();
})();
