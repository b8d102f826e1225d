/* Key presses and taps on a results page before its scripts are loaded: stored, and repeated in order afterwards. This file
   is loaded before the page is shown, so none is missed. If a script fails to load, the plain forms still work. */
"use strict";

(() => {
  const kept = [];
  let isReady = false;
  let hasFailed = false;

  const isTicked = () => [...document.querySelectorAll("tr[data-board] input[type=radio]:checked")].some((key) => !key.defaultChecked);

  addEventListener("keydown", (event) => {
    if (isReady || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input:not([type=radio]), select, textarea") || !document.querySelector("tr[data-board]")) return;
    event.stopImmediatePropagation();
    /* By default, arrow keys on a radio button choose another result. */
    if (event.key.startsWith("Arrow")) event.preventDefault();
    const { key, code, shiftKey, target } = event;
    if (!event.repeat) kept.push(() => {
      /* A key meant for the page goes to the board that the previous key moved to. */
      const at = target !== document.body && target.isConnected ? target : document.activeElement ?? document.body;
      at.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true }));
    });
  }, true);

  /* Links that leave the page wait until the earlier results are being sent. */
  addEventListener("click", (event) => {
    const pressed = event.target.closest("a[href], button");
    if (isReady || !pressed || pressed.matches(".without-script") || !(kept.length || isTicked())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    kept.push(() => { if (pressed.isConnected) pressed.click(); });
  }, true);

  addEventListener("error", ({ target }) => {
    if (!target.matches?.("script")) return;
    hasFailed = true;
    document.documentElement.classList.add("scripts-failed");
  }, true);

  addEventListener("DOMContentLoaded", () => {
    isReady = true;
    if (!hasFailed) {
      if (kept.length) document.activeElement?.blur();
      for (const press of kept) press();
    } else if (kept.length || isTicked()) {
      const line = document.createElement("p");
      line.className = "notice problem";
      line.textContent = document.body.dataset.notSent;
      const box = document.getElementById("messages");
      box.replaceChildren(line);
      box.hidden = false;
    }
  });
})();
