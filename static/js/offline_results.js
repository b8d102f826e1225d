/* Results reported offline: stored on the device and sent when it is online, if the board is still the one that was
   reported. Used by the page and by the service worker. */
"use strict";

self.keptResults = (() => {
  const STORE = "kept-results";
  const TAG = "kept-results";

  const store = () => caches.open(STORE);
  const keyOf = (kept) => new Request(kept.action);

  async function put(kept) {
    await (await store()).put(keyOf(kept), new Response(JSON.stringify(kept)));
  }

  async function drop(kept) {
    await (await store()).delete(keyOf(kept));
  }

  async function all() {
    const here = await store();
    const answers = await Promise.all((await here.keys()).map((key) => here.match(key)));
    return Promise.all(answers.filter(Boolean).map((answer) => answer.json()));
  }

  const fieldIn = (html, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];

  /* The player must decide. `isOpen` is set if the board still accepts a report. */
  async function ask(kept, html) {
    await put({ ...kept, changed: true, agreed: false, isOpen: html.includes("data-kept-offline") });
    return "changed";
  }

  /* The outcome for a result: "sent", "later", or "changed". */
  async function send(kept) {
    let page;
    try {
      page = await fetch(kept.page, { cache: "no-store" });
      if (page.status === 404) {
        await drop(kept);
        return "gone";
      }
      if (!page.ok) return "later";
      const html = await page.text();
      const seen = fieldIn(html, "seen");
      if (seen !== kept.fields.seen && !(kept.agreed && seen)) return ask(kept, html);
      const fields = { ...kept.fields, seen, csrfmiddlewaretoken: fieldIn(html, "csrfmiddlewaretoken") ?? "" };
      const answer = await fetch(kept.action, { method: "POST", body: new URLSearchParams(fields) });
      if (answer.status === 422) return ask(kept, await answer.text());
      if (!answer.ok) return "later";
    } catch {
      return "later";
    }
    await drop(kept);
    return "sent";
  }

  /* One at a time, because the page and the service worker may start at the same moment. */
  function sendAll() {
    const work = async () => {
      for (const kept of await all()) if (!kept.changed || kept.agreed) await send(kept);
    };
    return navigator.locks ? navigator.locks.request(STORE, work) : work();
  }

  return { TAG, put, drop, all, sendAll };
})();
