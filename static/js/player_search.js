/* Search as you type for a player, and filters, on pages for visitors, who have no HTMX. The form uses HTMX's attributes. Offline, the rows
   on the page are searched. Without this file, the form is submitted in the usual way. */
"use strict";

(() => {
  const PAUSE = 250;
  const form = document.querySelector("form[role=search]");
  const field = form?.querySelector("input[type=search]");
  if (!form || window.htmx) return;
  const asks = form.hasAttribute("hx-get");
  let timer = 0;
  let latest = 0;

  async function find() {
    clearTimeout(timer);
    const turn = ++latest;
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const target = form.getAttribute("hx-target").slice(1);
    const answer = await fetch(address, { headers: { "HX-Request": "true", "HX-Target": target } });
    const html = await answer.text();
    if (turn !== latest) return;
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById(target);
    const shown = document.getElementById(target);
    if (!answer.ok || !fresh || !shown) throw new Error(`nothing to show: ${answer.status}`);
    history.replaceState(null, "", address);
    const element = document.importNode(fresh, true);
    shown.replaceWith(element);
    for (const id of form.getAttribute("hx-select-oob")?.match(/[\w-]+/g) ?? []) {
      const other = page.getElementById(id);
      if (other) document.getElementById(id)?.replaceWith(document.importNode(other, true));
    }
    element.dispatchEvent(new CustomEvent("clubnight:found", { bubbles: true }));
  }

  /* Matches as on the server: every word anywhere in the name, ignoring accents and case. */
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l").replaceAll("ø", "o").replaceAll("đ", "d");

  function findHere() {
    if (!field) return;
    const words = folded(field.value).split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll("main tbody tr, main .wall-names > li")) {
      const text = folded(row.textContent);
      row.hidden = !words.every((word) => text.includes(word));
    }
  }

  const isCutOff = (error) => !navigator.onLine || error instanceof TypeError;

  function findSoon() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!navigator.onLine) findHere();
      else if (asks) find().catch((error) => { if (isCutOff(error)) findHere(); });
    }, PAUSE);
  }

  form.addEventListener("input", findSoon);
  if (field && field.value !== field.defaultValue) findSoon(); /* typed before this file was loaded */
  form.addEventListener("submit", (event) => {
    if (!asks && navigator.onLine) return;
    event.preventDefault();
    if (!navigator.onLine) findHere();
    else find().catch((error) => { if (isCutOff(error)) findHere(); else form.submit(); });
  });
})();
