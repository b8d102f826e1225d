/* Keyboard shortcuts for bank transactions: R records the suggested match, I ignores the transaction, arrows move between
   transactions. Without this file, the next transaction still gets the focus. Its button only gets it if the match is
   certain, so that Enter never records a guess. */
"use strict";

(() => {
  const lines = () => [...document.querySelectorAll("#lines [data-line]")];
  const start = (line) => line?.querySelector("[data-certain]") ?? line;
  const current = () => document.activeElement?.closest("[data-line]") ?? lines()[0];

  function go(line) {
    start(line)?.focus();
    line?.scrollIntoView({ block: "nearest" });
  }

  function open(line, selector) {
    const details = line.querySelector("details");
    if (details) details.open = true;
    line.querySelector(selector)?.focus();
  }

  const DO = {
    KeyR: (line) => line.querySelector("[data-books]")?.click(),
    KeyE: (line) => open(line, "details select"),
    KeyI: (line) => open(line, "details input[name=reason]"),
    KeyS: (line) => line.querySelector("[data-splits]")?.click(),
    ArrowDown: (line) => go(lines()[lines().indexOf(line) + 1]),
    ArrowUp: (line) => go(lines()[lines().indexOf(line) - 1]),
  };

  let isSent = false;

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    /* A key held down repeats on the next page. It must record only one transaction. */
    if (event.repeat && event.key === "Enter" && event.target.closest("[data-line] button")) return event.preventDefault();
    if (event.key === "Escape" && event.target.closest("[data-line] details")) return go(event.target.closest("[data-line]"));
    if (event.target.closest("input, select, textarea")) return;
    const line = current();
    if (!line || !(event.code in DO) || (event.repeat && !event.code.startsWith("Arrow"))) return;
    event.preventDefault();
    if (!isSent) DO[event.code](line);
  });

  document.addEventListener("submit", () => { isSent = true; });
  addEventListener("pageshow", () => { isSent = false; });
})();
