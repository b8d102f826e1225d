/* The hall screen arranges itself: the largest type and as many columns as the lines allow, with several pages only if the
   type would be too small to read from the back. It turns the pages, and alternates between boards and standings. The
   server sends long lists in parts, and live_updates.js loads the next part in the same way as changes. */
"use strict";

(() => {
  const ROUND_TRIP = 60; /* seconds in which everyone should have seen their board */
  const SHORTEST = 6;
  const LONGEST = 12;
  const BETWEEN_TURNS = 20; /* minimum, if there is one page at a time */
  const SMALLEST = 0.026; /* of the screen height: readable from the back of a hall */
  const LARGEST = 0.06;
  const SMALLEST_PIXELS = 18;
  const MOST_COLUMNS = 6;
  const LINE = 1.55; /* line height in em */
  const GAP = 2; /* between columns, in em */

  const indicator = document.getElementById("hall-page");
  const clock = document.getElementById("hall-clock");
  const pauseButton = document.querySelector("[data-hall=pause]");
  const pen = document.createElement("canvas").getContext("2d");
  let page = 0;
  let landing = null; /* the page of the requested part to show, 0 or -1 */
  let since = Date.now();
  let isPaused = false;
  let arranged = "";
  let round = shown().round;

  function shown() {
    return document.getElementById("hall-shown").dataset;
  }

  /* ---------- type, columns, pages ---------- */

  /* The width of a line in em if no name is wrapped. */
  function widest(list) {
    const family = getComputedStyle(list).fontFamily;
    const measure = (selector, weight) => {
      pen.font = `${weight} 100px ${family}`;
      return Math.max(0, ...[...list.querySelectorAll(selector)].map((each) => pen.measureText(each.textContent.trim()).width / 100));
    };
    const digits = Math.max(2, list.lastElementChild?.querySelector(".hall-number")?.textContent.length ?? 2);
    const number = digits * 0.62 + 0.3;
    if (list.querySelector(".hall-board")) {
      const name = Math.max(measure(".hall-white", 400), measure(".hall-black", 400));
      return number + 2 * name + 3.2 + 1.8;
    }
    return number + measure(".hall-name", 400) + 5.5 + 1.8;
  }

  /* The best layout for this many lines: the largest type, and among equal ones the fewest columns. */
  function bestFit(lines, width, height, letters, least) {
    let best = null;
    for (let columns = 1; columns <= MOST_COLUMNS; columns += 1) {
      const rows = Math.ceil(lines / columns);
      const byWidth = width / (columns * letters + (columns - 1) * GAP);
      const size = Math.min(byWidth, height / rows / LINE, LARGEST * innerHeight);
      if (!best || size > best.size + 0.5) best = { size, columns, rows };
    }
    return best.size >= least ? best : null;
  }

  function arrange() {
    const list = document.querySelector(".hall-list");
    if (!list || !matchMedia("(min-width: 44.01rem)").matches) return;
    const lines = list.children.length;
    const { width, height } = list.getBoundingClientRect();
    const state = `${lines} ${Math.round(width)} ${Math.round(height)} ${list.textContent.length}`;
    if (state === arranged && list.style.fontSize) return;
    arranged = state;
    const least = Math.max(SMALLEST_PIXELS, SMALLEST * innerHeight);
    const letters = widest(list);
    let fit = bestFit(lines, width, height, letters, least);
    if (!fit) {
      /* Several pages, in the smallest readable type. Names that are too long for it are wrapped. */
      const columns = Math.max(1, Math.floor((width + GAP * least) / ((letters + GAP) * least)));
      fit = { size: least, columns, rows: Math.max(1, Math.floor(height / least / LINE)) };
    }
    let wanted = Math.ceil(lines / (fit.columns * fit.rows));
    /* All pages have about the same number of lines. If wrapped names need more space, there is one more page. */
    for (;;) {
      const rows = Math.min(fit.rows, Math.ceil(lines / wanted / fit.columns));
      const most = wanted > 1 ? height : fit.size * 2.6;
      list.style.fontSize = `${fit.size}px`;
      list.style.columnCount = fit.columns;
      list.style.columnGap = `${GAP * fit.size}px`;
      list.style.setProperty("--line-height", `${Math.min(Math.floor((height - 1) / rows), most)}px`);
      if (rows === 1 || pages().count <= wanted) return;
      wanted += 1;
    }
  }

  /* Lines flow into columns as high as the screen. A page has as many columns as fit next to each other. */
  function pages() {
    const list = document.querySelector(".hall-list");
    if (!list) return { list, count: 1, width: 0 };
    const width = list.getBoundingClientRect().width + (parseFloat(getComputedStyle(list).columnGap) || 0);
    return { list, count: Math.max(1, Math.ceil((list.scrollWidth - 2) / width)), width };
  }

  /* Which part of the list this is, and the number of parts. */
  function part() {
    const { page: number, pages: all, lines } = shown();
    return { number: Number(number), all: Number(all), lines };
  }

  /* Show the number of pages, of all parts together if they are as long as this one. */
  function show(wanted) {
    arrange();
    const { list, count, width } = pages();
    const { all, lines } = part();
    page = ((wanted % count) + count) % count;
    if (list) list.scrollLeft = page * width;
    indicator.textContent = `${page + 1} / ${count}${all > 1 ? ` (${lines})` : ""}`;
    return count * all;
  }

  /* ---------- turns ---------- */

  function turn(step) {
    since = Date.now();
    const { number, all } = part();
    const turns = shown().turns.split(" ");
    const isWithin = page + step >= 0 && page + step < pages().count;
    const isWithinParts = number - 1 + step >= 0 && number - 1 + step < all;
    if (isWithin || (all === 1 && turns.length === 1)) {
      show(page + step);
    } else {
      const place = (turns.indexOf(shown().shows) + step + turns.length) % turns.length;
      const isSame = isWithinParts || turns.length === 1;
      ask(isSame ? ((number - 1 + step + all) % all) + 1 : 1, step < 0 ? -1 : 0, isSame ? null : turns[place]);
    }
  }

  function ask(number, place, turnTo) {
    const query = new URLSearchParams(location.search);
    query.set("page", number);
    if (turnTo) query.set("show", turnTo);
    history.replaceState(null, "", `?${query}`);
    landing = place;
    document.dispatchEvent(new CustomEvent("clubnight:turned"));
  }

  /* A round that was just published or finished is shown first, whatever was on the screen. */
  function updated() {
    const state = `${shown().round} ${shown().state}`;
    if (round !== state && new URLSearchParams(location.search).has("show")) {
      round = state;
      ask(1, 0, shown().turns.split(" ")[0]);
      return;
    }
    if (landing !== null || round !== state) since = Date.now();
    round = state;
    show(landing ?? page);
    landing = null;
  }

  function pause() {
    isPaused = !isPaused;
    pauseButton.setAttribute("aria-pressed", isPaused);
    since = Date.now();
  }

  /* ---------- time ---------- */

  /* In the club's time zone, whatever the projector's computer is set to. */
  function timeNow() {
    const how = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    const { zone } = clock.dataset;
    return new Date().toLocaleTimeString(document.documentElement.lang, zone ? { ...how, timeZone: zone } : how);
  }

  function tick() {
    const text = timeNow();
    if (clock.textContent !== text) clock.textContent = text;
    const message = document.querySelector(".hall-message");
    if (message && !message.hidden && new Date(message.dataset.until) < new Date()) {
      message.hidden = true;
      arranged = "";
    }
    const all = show(page);
    const turns = shown().turns.split(" ").length;
    const wait = Math.min(LONGEST, Math.max(SHORTEST, ROUND_TRIP / all));
    const isDue = Date.now() - since >= 1000 * (all > 1 ? wait : BETWEEN_TURNS);
    if (!isPaused && isDue && all * turns > 1) turn(1);
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

  /* Keep the computer awake while nobody uses it for hours. Browsers only allow this over HTTPS. */
  const stayAwake = () => { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  round = `${shown().round} ${shown().state}`;
  document.addEventListener("clubnight:updated", updated);
  window.addEventListener("resize", () => { arranged = ""; show(page); });
  setInterval(tick, 500);
  tick();
})();
