/* Additions to the round page: only one menu is open at a time, and "why?" opens below its board. Without this file, menus
   are closed by their own label, and "why?" links to the board's page. */
"use strict";

(() => {
  const OPENED = "details.menu[open], .why-cell details[open]";
  const MARK = "a.why-mark, tr .why-cell summary";

  function closeOthers(but) {
    for (const each of document.querySelectorAll(OPENED)) if (!but || !each.contains(but)) each.open = false;
    if (but?.closest(".why-box")) return;
    for (const each of document.querySelectorAll(".why-opened")) each.remove();
    for (const each of document.querySelectorAll(":is(.why-mark, .why-cell summary)[aria-expanded]")) if (each !== but) each.removeAttribute("aria-expanded");
  }

  /* The reasons, without leaving the page: those next to the link, or those from the board's own page. */
  async function reasonsOf(mark) {
    const beside = mark.nextElementSibling;
    if (beside) return [...beside.cloneNode(true).childNodes];
    const answer = await fetch(mark.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.querySelector("#why")?.parentElement.querySelector(".explanation, p");
    return answer.ok && found ? [document.importNode(found, true)] : null;
  }

  /* They open in their own row below the board and cover nothing. */
  async function showWhy(mark) {
    const isShown = mark.hasAttribute("aria-expanded");
    closeOthers(mark);
    mark.removeAttribute("aria-expanded");
    if (isShown) return;
    const reasons = await reasonsOf(mark);
    if (!reasons) {
      location.href = mark.href;
      return;
    }
    const row = mark.closest("tr");
    const opened = document.createElement("tr");
    opened.className = "why-opened";
    const cell = opened.insertCell();
    cell.colSpan = row.cells.length;
    const box = document.createElement("div");
    box.className = "why why-box";
    box.setAttribute("role", "status");
    box.append(...reasons);
    cell.append(box);
    row.after(opened);
    mark.setAttribute("aria-expanded", "true");
    if (opened.getBoundingClientRect().bottom > innerHeight) row.scrollIntoView({ block: "start" });
  }

  document.addEventListener("click", (event) => {
    const mark = event.target.closest(MARK);
    if (mark && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      showWhy(mark).catch(() => { location.href = mark.href; });
    } else {
      closeOthers(event.target);
    }
  });

  /* Load an image in a menu when it is opened, because browsers also load lazy images that are hidden. */
  document.addEventListener("toggle", (event) => {
    if (!event.target.open) return;
    for (const picture of event.target.querySelectorAll("img[data-src]")) {
      picture.src = picture.dataset.src;
      picture.removeAttribute("data-src");
    }
  }, true);

  /* A printout opens in a new tab. Back on the page, the user continues with the boards. */
  document.addEventListener("submit", (event) => {
    const menu = event.target.closest("details.menu[open]");
    if (!menu || !event.target.target) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.querySelector("details.menu[open]");
    closeOthers(null);
    menu?.querySelector("summary").focus();
  });
})();
