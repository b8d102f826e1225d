/* The place of one's own board, kept before the page is shown: then nothing moves when pinned_boards.js has it. */
"use strict";

(() => {
  let height = null;
  try {
    height = sessionStorage.getItem(`pinned-height ${location.pathname.split("/").slice(0, 3).join("/")}`);
  } catch {
    /* In a frame of another site a browser may allow no storage. */
  }
  if (height === "0" || (height === null && !/(^|; )knows-me=/.test(document.cookie))) return;
  document.documentElement.classList.add("has-board");
  if (height) document.documentElement.style.setProperty("--pinned", `${height}px`);
})();
