{% load static %}/* What works without a connection: pages seen last, a result that waits, notifications. Made by the server, so that it knows
   where its scripts are. docs/project/decisions/0025-offline.md tells what is kept, and for how long. */
"use strict";

importScripts("{% static "js/offline_results.js" %}");

const PAGES = "pages";
const FILES = "files";
const SHOWN = "shown";
const OFFLINE = "{% url "offline_page" %}";
const MY_ADDRESS = "{% url "my_page" %}";
const MOST_PAGES = 30;
const MOST_SHOWN = 60;
const FOR_EVERYONE = "all";
const NAMED_BY_CONTENT = /\.[0-9a-f]{12}\.\w+$/;

self.addEventListener("install", (event) => event.waitUntil((async () => {
  const files = await caches.open(FILES);
  await files.add(new Request(OFFLINE, { cache: "reload" })).catch(() => {});
  await self.skipWaiting();
})()));

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (["script", "style", "image", "font"].includes(request.destination)) event.respondWith(file(request));
});

/* ---------- pages ---------- */

async function page(request) {
  let answer;
  try {
    answer = await fetch(request);
  } catch {
    return keptPage(request);
  }
  const whose = answer.headers.get("Keep-Offline");
  if (answer.ok && whose) await keep(request.url, answer.clone(), whose);
  return answer;
}

/* Another person's page, or what the same one sees by a newer right: the pages of the one before are gone. What everybody
   may see stays. */
async function keep(address, answer, whose) {
  const kept = await caches.open(PAGES);
  if (whose !== FOR_EVERYONE) {
    for (const each of await kept.keys()) {
      const before = (await kept.match(each))?.headers.get("Keep-Offline");
      if (before !== whose && before !== FOR_EVERYONE) await kept.delete(each);
    }
  }
  await kept.delete(address);
  await kept.put(address, await dated(answer, whose));
  const all = await kept.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST_PAGES))) await kept.delete(old);
}

async function dated(answer, whose) {
  const html = (await answer.text()).replace(/<html(?: data-kept-at="[^"]*")?/, `<html data-kept-at="${new Date().toISOString()}"`);
  const headers = new Headers({ "Content-Type": "text/html; charset=utf-8", "Keep-Offline": whose });
  const policy = answer.headers.get("Content-Security-Policy");
  if (policy) headers.set("Content-Security-Policy", policy);
  return new Response(html, { headers });
}

async function keptPage(request) {
  const pages = await caches.open(PAGES);
  const found = (await pages.match(request.url)) ?? (await pages.match(request.url, { ignoreSearch: true }));
  if (found) return found;
  if (new URL(request.url).pathname === MY_ADDRESS) {
    for (const each of (await pages.keys()).reverse()) {
      if ((await pages.match(each)).headers.get("Keep-Offline") !== FOR_EVERYONE) return Response.redirect(each.url);
    }
  }
  const nothing = await caches.match(OFFLINE);
  return nothing ?? Response.error();
}

/* A page that was there first is taken over and kept; one that has kept up tells what it shows by now. */
self.addEventListener("message", (event) => {
  const { shows, isFirst } = event.data ?? {};
  if (isFirst && event.source?.url) event.waitUntil(Promise.all([self.clients.claim(), page(new Request(event.source.url))]));
  if (!shows || !event.source?.url) return;
  event.waitUntil((async () => {
    const pages = await caches.open(PAGES);
    const before = await pages.match(event.source.url);
    if (before) await keep(event.source.url, new Response(shows, { headers: before.headers }), before.headers.get("Keep-Offline"));
  })());
});

/* ---------- scripts, styles, pictures ---------- */

async function file(request) {
  const files = await caches.open(FILES);
  const isNamed = NAMED_BY_CONTENT.test(new URL(request.url).pathname);
  const kept = isNamed ? await files.match(request) : undefined;
  if (kept) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await files.put(request, answer.clone());
    return answer;
  } catch (error) {
    const old = await files.match(request);
    if (old) return old;
    throw error;
  }
}

/* ---------- a result that waits ---------- */

self.addEventListener("sync", (event) => {
  if (event.tag === keptResults.TAG) event.waitUntil(keptResults.sendAll());
});

/* ---------- notifications ---------- */

self.addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? {})));

/* A message may come twice; it is shown once. It is marked when it has been shown: of two at once the tag leaves one. */
async function show(message) {
  if (!message.id) return;
  const shown = await caches.open(SHOWN);
  const mark = `/shown/${message.id}`;
  if (await shown.match(mark)) return;
  await self.registration.showNotification(message.title, {
    body: message.body,
    lang: message.lang,
    tag: message.id,
    icon: "{% static "img/clubnight-192.png" %}",
    actions: message.actions.map(({ title }, place) => ({ title, action: String(place) })),
    data: message,
  });
  await shown.put(mark, new Response(""));
  const all = await shown.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST_SHOWN))) await shown.delete(old);
}

self.addEventListener("notificationclick", (event) => {
  const { data } = event.notification;
  event.notification.close();
  const chosen = data.actions[Number(event.action)];
  event.waitUntil(event.action && chosen ? act(chosen) : open(data.url));
});

/* One tap; where it did not get through, its page opens. */
async function act({ post }) {
  try {
    const answer = await fetch(post, { method: "POST" });
    if (answer.ok) return;
  } catch {
    /* No connection: the page says so, and has the button. */
  }
  await open(post);
}

async function open(address) {
  for (const client of await self.clients.matchAll({ type: "window" })) {
    if (new URL(client.url).pathname === address) return client.focus();
  }
  return self.clients.openWindow(address);
}
