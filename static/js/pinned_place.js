/* Reserves space for the pinned board before the page is shown, so that nothing moves when pinned_boards.js inserts it. */
"use strict";

(() => {
  let height = null;
  try {
    height = sessionStorage.getItem(`pinned-height ${location.pathname.split("/").slice(0, 4).join("/")}`);
  } catch {
    /* In a frame on another site, browsers may block storage. */
  }
  if (height === "0" || (height === null && !/(^|; )knows-me=/.test(document.cookie))) return;
  document.documentElement.classList.add("has-board");
  if (height) document.documentElement.style.setProperty("--pinned", `${height}px`);
})();
