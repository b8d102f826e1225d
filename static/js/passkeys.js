/* Passkeys: a form sends what the browser creates or signs, as text. A form with `data-passkey` adds a passkey, uses a known
   one (both with the server's challenge in the page), or signs in (which requests the challenge). */
"use strict";

/* A server reached by its IP address has no name to store a passkey under. */
const knowsPasskeys = Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON) && !/^[\d.]+$|:/.test(location.hostname);

async function answerOf(form) {
  if (form.dataset.passkey === "sign-in") {
    const asked = await fetch(form.action, { headers: { "X-Requested-With": "XMLHttpRequest" } });
    return used((await asked.json()).request_options);
  }
  const told = JSON.parse(document.getElementById("passkey-options").textContent);
  return form.dataset.passkey === "add" ? made(told.creation_options) : used(told.request_options);
}

function made(options) {
  const wanted = structuredClone(options.publicKey);
  wanted.authenticatorSelection = {
    ...wanted.authenticatorSelection,
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  };
  return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(wanted) });
}

function used(options) {
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey) });
}

function sayRefused(form) {
  let line = form.querySelector(".notice");
  if (!line) {
    line = document.createElement("p");
    line.className = "notice problem";
    line.setAttribute("role", "alert");
    form.prepend(line);
  }
  line.textContent = form.dataset.failed;
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !knowsPasskeys;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      form.elements.credential.value = JSON.stringify((await answerOf(form)).toJSON());
      form.submit();
    } catch {
      sayRefused(form);
      button.disabled = false;
    }
  });
}
for (const sentence of document.querySelectorAll("[data-no-passkeys]")) sentence.hidden = knowsPasskeys;
