/**
 * Keep the client in the browser, so that it opens without the server: the page, its code, what the lobby and
 * the rules show.
 *
 * Tables are never kept: they are on the server. A token stands behind the # of an address, which no request
 * carries.
 */

declare const self: ServiceWorkerGlobalScope;
/** All that was built, but for what is large and seldom wanted; plugins/offline.ts writes it here. */
declare const BUILT: { name: string; assets: string[] };

/**
 * The folder in which the client lies, with a slash at either end; others of the same host keep for
 * themselves.
 */
const BASE = new URL(".", self.location.href).pathname;
const OURS = BASE === "/" ? "" : `${BASE} `;
const CODE = `${OURS}code-${BUILT.name}`;
const TOLD = `${OURS}told`; // what the server told last: games, rules, pictures
const PATIENCE_MS = 4_000;
/** What tells a page that it reads what was kept, not what the server says now. */
const KEPT = "x-kept";

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CODE)
      .then((cache) => cache.addAll(["", "manifest.webmanifest", ...BUILT.assets].map((file) => BASE + file)))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    const old = (name: string): boolean =>
      name !== CODE && (OURS ? name.startsWith(`${OURS}code-`) : /^code-/.test(name));
    for (const name of await caches.keys()) if (old(name)) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (!url.pathname.startsWith(BASE)) return;
  const path = url.pathname.slice(BASE.length - 1);
  if (request.mode === "navigate" && isPage(path)) event.respondWith(page(request));
  else if (/^\/(assets|icons)\/|^\/manifest\.webmanifest$/.test(path)) event.respondWith(code(request));
  else if (/^\/api\/games(\/[^/]+\/(rules|picture\.svg))?$/.test(path)) event.respondWith(told(request));
});

/** Whether an address is one of the client's own pages, which are all the same file. */
const isPage = (path: string): boolean => !path.startsWith("/api/") && !/\.\w+$/.test(path);

async function page(request: Request): Promise<Response> {
  return asked(request).catch(
    async () => (await caches.match(BASE, { cacheName: CODE })) ?? Response.error(),
  );
}

async function code(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CODE })) ?? fetch(request);
}

async function told(request: Request): Promise<Response> {
  const cache = await caches.open(TOLD);
  try {
    const answer = await asked(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    const kept = await cache.match(request);
    if (!kept) return Response.error();
    const headers = new Headers(kept.headers);
    headers.set(KEPT, "1");
    return new Response(kept.body, { status: kept.status, headers });
  }
}

/** Ask the server, and give up when it is silent for long. */
const asked = (request: Request): Promise<Response> =>
  fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });

/** What a notification says, and which page it opens; the server writes it (bartizan/tables/calls.py). */
interface Call {
  title: string;
  body: string;
  link: string;
}

self.addEventListener("push", (event) => {
  const { title, body, link } = event.data?.json() as Call;
  // A later one about the same table takes its place.
  const shown = { body, tag: link, data: link, icon: `${BASE}icons/192.png` };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = new URL(BASE + String(event.notification.data), self.location.href);
  const show = async (): Promise<void> => {
    const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((one) => new URL(one.url).pathname === wanted.pathname);
    await (there?.focus() ?? self.clients.openWindow(wanted));
  };
  event.waitUntil(show());
});

export {}; // a module, so that `self` is its own
