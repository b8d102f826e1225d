/* Finding a player while one types, on pages for visitors, who have no HTMX: the form says by its attributes what HTMX
   would do for those who are signed in. Without this file the form is sent like any other. */
"use strict";

(() => {
  const PAUSE = 250;
  const form = document.querySelector("form[role=search][hx-get]");
  if (!form || window.htmx) return;
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
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(target);
    const shown = document.getElementById(target);
    if (!answer.ok || !fresh || !shown) throw new Error(`nothing to show: ${answer.status}`);
    history.replaceState(null, "", address);
    const element = document.importNode(fresh, true);
    shown.replaceWith(element);
    element.dispatchEvent(new CustomEvent("clubnight:found", { bubbles: true }));
  }

  const orSend = () => form.submit();
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => find().catch(() => {}), PAUSE);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find().catch(orSend);
  });
})();
