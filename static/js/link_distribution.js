/* Handing out links: the list into the clipboard, one link into the device's share sheet. Without this file the list can
   be marked and copied, and a link opened. */
"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      field.select(); /* Not allowed here: it is marked, for the hand to copy. */
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
    /* Whoever has thought better of it has shared nothing. */
  }
});
