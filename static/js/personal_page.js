/* The forms on a player's own page, sent without leaving it. They use HTMX's attributes and event names, so that a phone
   need not download HTMX for three forms. Without this file, they are submitted in the usual way. */
"use strict";

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("form[hx-post]")) return;
  event.preventDefault();
  if (form.matches(".htmx-request")) return;
  const tell = (from, name, detail) => from.dispatchEvent(new CustomEvent(`htmx:${name}`, { bubbles: true, detail: { elt: form, ...detail } }));
  const fields = new FormData(form);
  if (submitter?.name) fields.append(submitter.name, submitter.value);
  const target = form.getAttribute("hx-target").slice(1);
  const buttons = form.querySelectorAll("button:not(:disabled)");
  const setBusy = (isBusy) => {
    form.classList.toggle("htmx-request", isBusy);
    for (const button of buttons) button.disabled = isBusy;
  };
  setBusy(true);
  tell(form, "beforeRequest");
  let answer;
  let html;
  try {
    const headers = { "HX-Request": "true", "HX-Target": target };
    answer = await fetch(form.getAttribute("hx-post"), { method: "POST", body: new URLSearchParams(fields), headers });
    html = await answer.text();
  } catch {
    setBusy(false);
    tell(form, "sendError", { requestConfig: { formData: fields } });
    return;
  }
  const shown = document.getElementById(target);
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(target);
  if (!shown || !fresh || !(answer.ok || answer.status === 422)) {
    setBusy(false);
    tell(form, "responseError");
    return;
  }
  const element = document.importNode(fresh, true);
  shown.replaceWith(element);
  tell(element, "afterSettle");
});
