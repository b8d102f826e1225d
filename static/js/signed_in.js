/* What pages do for those who sign in. */
"use strict";

/* What stands in an element, taken along: <button data-copy="its id" hidden>. Browsers allow it with HTTPS only. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
  });
}

/* A session that had ended while somebody entered things: one form to sign in, and what was sent goes on by itself. */

/* Each thing that was sent comes back with a form of its own; the first stays and takes in what the others hold. The eye
   is led there and the keys are not: whoever goes on typing results has them kept as well. */
document.addEventListener("htmx:afterSwap", () => {
  const [newest, ...older] = document.querySelectorAll("[data-ended]");
  const stays = older.pop();
  if (!stays) return;
  const form = stays.querySelector("form");
  for (const other of [...older, newest]) {
    form.append(...other.querySelectorAll("input[name=kept]"));
    other.remove();
  }
});

/* A name that was written before HTMX was there. */
document.addEventListener("DOMContentLoaded", () => {
  for (const field of document.querySelectorAll("form[role=search][hx-get] input[type=search]")) {
    if (field.value !== field.defaultValue) field.form.requestSubmit();
  }
});

document.querySelector("form[data-press-at-once]")?.requestSubmit();
