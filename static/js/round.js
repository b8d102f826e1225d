/* The desk's conveniences: one menu is open at a time, and "why?" opens beside its board. Without this file menus are
   closed by their own word, and "why?" leads to the page of the board. */
"use strict";

(() => {
  const OPENED = "details.menu[open], .why-cell details[open]";

  function closeOthers(but) {
    for (const each of document.querySelectorAll(OPENED)) if (!but || !each.contains(but)) each.open = false;
    for (const each of document.querySelectorAll(".why-cell > .why")) if (each.tagName === "DIV" && !(but && each.parentElement.contains(but))) each.remove();
    for (const each of document.querySelectorAll(".why-mark[aria-expanded]")) if (each !== but) each.removeAttribute("aria-expanded");
  }

  async function showWhy(link) {
    const cell = link.parentElement;
    const shown = cell.querySelector("div.why");
    closeOthers(link);
    if (shown) {
      shown.remove();
      link.removeAttribute("aria-expanded");
      return;
    }
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.querySelector("#why")?.parentElement.querySelector(".explanation, p");
    if (!answer.ok || !found) {
      location.href = link.href;
      return;
    }
    const box = document.createElement("div");
    box.className = "why";
    const inner = document.createElement("div");
    inner.className = "why-box";
    inner.setAttribute("role", "status");
    inner.append(document.importNode(found, true));
    box.append(inner);
    cell.append(box);
    link.setAttribute("aria-expanded", "true");
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.why-mark");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      showWhy(link).catch(() => { location.href = link.href; });
    } else {
      closeOthers(event.target);
    }
  });

  /* A picture in a menu is fetched when somebody wants to see it: browsers fetch lazy ones that are not shown. */
  document.addEventListener("toggle", (event) => {
    if (!event.target.open) return;
    for (const picture of event.target.querySelectorAll("img[data-src]")) {
      picture.src = picture.dataset.src;
      picture.removeAttribute("data-src");
    }
  }, true);

  /* A paper opens beside the page: whoever comes back from it goes on with the boards. */
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
