/* Distribute links: copy the list, or share one link from the device. Without this file, the list can be selected and copied,
   and a link opened. */
"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      field.select(); /* Not allowed here, so select the text for copying by hand. */
    }
  });
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-shares]");
  if (!link) return;
  event.preventDefault();
  try {
    if (navigator.share) await navigator.share({ title: link.dataset.shares, url: link.href });
    else await navigator.clipboard.writeText(link.href);
  } catch {
    /* The user cancelled, so nothing was shared. */
  }
});
