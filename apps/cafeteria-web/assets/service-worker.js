// Pages: from the network, else as last seen, else the offline page. Static files: kept, their names change with their bytes.
const PAGES = 'pages-1';
const FILES = 'files-1';
const PHOTOS = 'photos-1';
const OFFLINE = '/offline';
const MAX_PAGES = 60;
const MAX_PHOTOS = 120;
const NETWORK_TIMEOUT_MS = 6_000;

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** Lets go of the oldest entries. @param {string} name @param {number} max */
async function trim(name, max) {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - max)).map((key) => cache.delete(key)));
}

/** Puts an entry at the end, so that the first is the one longest unused. @param {string} name @param {Request} request @param {Response} response @param {number} max */
async function keep(name, request, response, max) {
  const cache = await caches.open(name);
  await cache.delete(request, { ignoreVary: true });
  await cache.put(request, response);
  await trim(name, max);
}

async function install() {
  const files = await (await fetch('/assets/index.json')).json();
  await (await caches.open(FILES)).addAll(files);
  await (await caches.open(PAGES)).add(new Request(OFFLINE, { headers: { Accept: 'text/html' } }));
  await worker.skipWaiting();
}

async function activate() {
  const names = [PAGES, FILES, PHOTOS];
  await Promise.all(
    (await caches.keys()).filter((name) => !names.includes(name)).map((name) => caches.delete(name)),
  );
  await worker.clients.claim();
}

/** Lets the page know that it comes from the cache. @param {string} id */
async function tellKept(id) {
  const client = await worker.clients.get(id);
  // A client of a service worker, not a window: it takes no origin.
  client?.postMessage('kept');
}

/** @param {FetchEvent} event */
async function page(event) {
  const { request } = event;
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) });
    // What could not be read must not replace what was seen before.
    const keepable = response.ok && response.headers.get('Cache-Control') !== 'no-store';
    if (keepable && new URL(request.url).pathname !== OFFLINE) {
      event.waitUntil(keep(PAGES, new Request(response.url || request.url), response.clone(), MAX_PAGES));
    }
    return response;
  } catch {
    const cache = await caches.open(PAGES);
    const seen = await cache.match(request.url, { ignoreVary: true });
    if (seen !== undefined) event.waitUntil(tellKept(event.resultingClientId));
    return seen ?? (await cache.match(OFFLINE, { ignoreVary: true })) ?? Response.error();
  }
}

/** @param {FetchEvent} event */
async function file(event) {
  const kept = await caches.match(event.request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(keep(FILES, event.request, response.clone(), 80));
  return response;
}

/** @param {FetchEvent} event */
async function photo(event) {
  const kept = await caches.match(event.request);
  if (kept !== undefined) return kept;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(keep(PHOTOS, event.request, response.clone(), MAX_PHOTOS));
  return response;
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (url.pathname.startsWith('/assets/') && url.pathname !== '/assets/index.json')
    event.respondWith(file(event));
  else if (url.pathname.startsWith('/img/')) event.respondWith(photo(event));
});
