// @ts-check
// The worker of the pages. It keeps the program's own style sheets, scripts and pictures, and one page that
// says that Ira cannot be reached. It never keeps an answer, a conversation or anything else of a person, but
// for what another app shares with Ira, until she gets it.

const asked = new URL(location.href).searchParams;
const VERSION = (asked.get("version") || "").replace(/[^0-9a-f]/g, "");
const LANG = asked.get("lang") === "hi" ? "hi" : "en";
const NAME = `ira-${VERSION}-${LANG}`;
const STATIC = `/static/${VERSION}/`;
const OFFLINE = `/offline?lang=${LANG}`;
const SHEETS = ["tokens.css", "components.css", "page.css", "offline.js", "sprite.svg", "mark.svg"];
const LETTERS = LANG === "hi" ? ["ira-deva-regular.woff2", "ira-deva-bold.woff2"] : [];
const SHARE = "/phone/share";
const SHARED = "shared-with-ira";
const self = /** @type {any} */ (globalThis);

self.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(sweep().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (/** @type {any} */ event) => {
  const request = event.request;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === SHARE) event.respondWith(taken(request));
  if (request.method !== "GET") return;
  if (url.pathname.startsWith(STATIC)) event.respondWith(kept(request));
  else if (request.mode === "navigate" && !url.pathname.startsWith("/v1/")) event.respondWith(online(request));
});

async function fill() {
  const cache = await caches.open(NAME);
  await cache.addAll([OFFLINE, ...[...SHEETS, ...LETTERS].map((name) => STATIC + name)]);
}

async function sweep() {
  for (const name of await caches.keys()) if (name.startsWith("ira-") && name !== NAME) await caches.delete(name);
}

/** A file of the program: its name changes with what is in it. @param {Request} request */
async function kept(request) {
  const cache = await caches.open(NAME);
  const found = await cache.match(request);
  if (found) return found;
  const fresh = await fetch(request);
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

/** What another app shares stays in this browser until its page asks for it. @param {Request} request */
async function taken(request) {
  const form = await request.formData();
  const said = ["title", "text", "url"].map((name) => String(form.get(name) || "").trim());
  const cache = await caches.open(SHARED);
  await cache.put("/phone/shared", new Response([...new Set(said)].filter(Boolean).join("\n")));
  return Response.redirect("/phone", 303);
}

/** A page comes from Ira herself or not at all. @param {Request} request */
async function online(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(OFFLINE)) || Response.error();
  }
}
