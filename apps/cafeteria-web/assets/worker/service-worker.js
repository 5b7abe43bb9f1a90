// Pages: from the network, else as last seen, else the offline page. Static files: kept, their names change with their bytes.
const PAGES = 'pages-2';
const FILES = 'files-1';
const PHOTOS = 'photos-1';
const OFFLINE = '/offline';
const OF_MINE = ['/', '/takeout', '/alarm'];
const MAX_PAGES = 60;
const MAX_PHOTOS = 120;
/** Pages kept ahead at a time, and for how long they are not asked for again. */
const MAX_AHEAD = 6;
const AHEAD_MS = 600_000;
/** The server writes its own number here: longer than it may take for an answer. */
const SLOW_MS = Number('{{WORKER_WAIT_MS}}');

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

/** Lets the page know that it comes from the cache, and why. @param {string} id @param {'lost' | 'slow'} why */
async function tellKept(id, why) {
  const client = await worker.clients.get(id);
  // A client of a service worker, not a window: it takes no origin.
  client?.postMessage({ kept: why });
}

/**
 * What a page is kept under. Pages of my restaurants are others for other restaurants, so they are part of its key; undefined where the
 * browser does not say which they are: then it is not kept.
 * @param {string} address
 * @returns {Promise<Request | undefined>}
 */
async function keyOf(address) {
  const url = new URL(address);
  if (!OF_MINE.includes(url.pathname) || url.searchParams.has('q')) return new Request(url);
  const cookies = /** @type {{ get(name: string): Promise<{ value?: string } | null> } | undefined} */ (
    Reflect.get(worker, 'cookieStore')
  );
  if (cookies === undefined) return undefined;
  const mine = await cookies.get('my');
  url.searchParams.set('kept-for', mine?.value ?? '');
  return new Request(url);
}

/** @param {Response} response @param {string} address */
async function keepPage(response, address) {
  // What could not be read, or not yet, must not replace what was seen before.
  if (!response.ok || response.headers.get('Cache-Control') === 'no-store') return;
  if (new URL(address).pathname === OFFLINE) return;
  const key = await keyOf(response.url || address);
  if (key !== undefined) await keep(PAGES, key, response, MAX_PAGES);
}

/** The page of this address as last seen. @param {string} address */
async function keptPage(address) {
  const key = await keyOf(address);
  return key === undefined ? undefined : (await caches.open(PAGES)).match(key, { ignoreVary: true });
}

/** Keeps pages that one tap leads to, unless they were kept a moment ago. @param {readonly string[]} addresses */
async function keepAhead(addresses) {
  for (const address of addresses.slice(0, MAX_AHEAD)) {
    if (new URL(address).origin !== location.origin) continue;
    const seen = await keptPage(address);
    const keptAtMs = Date.parse(seen?.headers.get('Date') ?? '');
    if (Date.now() - keptAtMs < AHEAD_MS) continue;
    try {
      const response = await fetch(address, { headers: { Accept: 'text/html' } });
      await keepPage(response, address);
    } catch {
      // The network is away: the next page that is seen asks again.
      return;
    }
  }
}

/** @param {FetchEvent} event */
async function page(event) {
  const { request } = event;
  const answer = fetch(request);
  // Before anybody reads the body; without an answer there is nothing to keep.
  event.waitUntil(answer.then((response) => keepPage(response.clone(), request.url)).catch(() => {}));
  /** @type {Promise<undefined>} */
  const slow = new Promise((resolve) => setTimeout(() => resolve(undefined), SLOW_MS));
  try {
    const response = await Promise.race([answer, slow]);
    if (response !== undefined) return response;
    // Slow is not offline: without a kept page there is nothing better than to go on waiting.
    const seen = await keptPage(request.url);
    if (seen === undefined) return await answer;
    event.waitUntil(tellKept(event.resultingClientId, 'slow'));
    return seen;
  } catch {
    const seen = await keptPage(request.url);
    if (seen !== undefined) event.waitUntil(tellKept(event.resultingClientId, 'lost'));
    const offline = await (await caches.open(PAGES)).match(OFFLINE, { ignoreVary: true });
    return seen ?? offline ?? Response.error();
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

/** At an address with a version there is always the same photo, at another one there may be another. @param {FetchEvent} event */
async function photo(event) {
  const kept = await caches.match(event.request);
  if (kept !== undefined && new URL(event.request.url).searchParams.has('v')) return kept;
  try {
    const response = await fetch(event.request);
    if (response.ok) event.waitUntil(keep(PHOTOS, event.request, response.clone(), MAX_PHOTOS));
    return response;
  } catch {
    return kept ?? Response.error();
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('message', (event) => {
  if (Array.isArray(event.data?.ahead)) event.waitUntil(keepAhead(event.data.ahead));
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (url.pathname.startsWith('/assets/') && url.pathname !== '/assets/index.json')
    event.respondWith(file(event));
  else if (url.pathname.startsWith('/img/')) event.respondWith(photo(event));
});
