/* Notifications on this device: requests a subscription from the browser and sends it to the server. Shows what prevents
   it. Without this file, the page says that it needs JavaScript. */
"use strict";

(() => {
  const place = document.getElementById("push");
  if (!place?.dataset.key) return;

  function say(what) {
    for (const each of place.querySelectorAll("[data-says]")) each.hidden = each.dataset.says !== what;
  }

  function bytesOf(base64) {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  }

  async function subscribe(form) {
    if ((await Notification.requestPermission()) !== "granted") {
      say("denied");
      return;
    }
    const worker = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(place.dataset.key) };
    const device = (await worker.pushManager.getSubscription()) ?? (await worker.pushManager.subscribe(options));
    const { endpoint, keys } = device.toJSON();
    const body = new FormData(form);
    body.append("endpoint", endpoint);
    body.append("p256dh", keys.p256dh);
    body.append("auth", keys.auth);
    const answer = await fetch(place.dataset.address, { method: "POST", body });
    if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
    location.reload();
  }

  if (!window.isSecureContext) say("insecure");
  else if (!("PushManager" in window) || !("serviceWorker" in navigator)) say("none");
  else if (Notification.permission === "denied") say("denied");
  else say("ask");

  place.querySelector("form[data-says=ask]").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      await subscribe(event.target);
    } catch {
      say("ask");
      place.querySelector("[data-says=failed]").hidden = false;
    }
    button.disabled = false;
  });
})();
