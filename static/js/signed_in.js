/* Additions to pages for signed-in users. */
"use strict";

/* The session ended while forms were sent: one form to sign in, and the rest is sent automatically. */

/* Each sent form comes back with its own sign-in form. The first one stays and collects the data of the others. It is
   scrolled into view without the focus, so that results typed meanwhile are kept too. */
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

/* A name typed before HTMX was loaded. */
document.addEventListener("DOMContentLoaded", () => {
  for (const field of document.querySelectorAll("form[role=search][hx-get] input[type=search]")) {
    if (field.value !== field.defaultValue) field.form.requestSubmit();
  }
});

document.querySelector("form[data-press-at-once]")?.requestSubmit();
