// Lists the menu pages that the service worker kept, newest first.
/** @type {HTMLElement | null} */
const title = document.querySelector('h1[data-online]');
// With a network it is not the visitor who is offline.
if (title !== null && navigator.onLine) title.textContent = title.dataset.online ?? '';

const list = document.querySelector('[data-kept-pages]');
const none = document.querySelector('[data-kept-none]');

async function keptPages() {
  const cache = await caches.open('pages-2');
  const requests = await cache.keys();
  const menus = requests.filter((request) => new URL(request.url).pathname.startsWith('/restaurants/'));
  return Promise.all(
    menus.reverse().map(async (request) => {
      const html = (await (await cache.match(request, { ignoreVary: true }))?.text()) ?? '';
      return { url: request.url, title: new DOMParser().parseFromString(html, 'text/html').title };
    }),
  );
}

if (list instanceof HTMLElement && none instanceof HTMLElement && 'caches' in globalThis) {
  const pages = await keptPages();
  list.hidden = pages.length === 0;
  none.hidden = pages.length > 0;
  list.replaceChildren(
    ...pages.map(({ url, title }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.className = 'restaurant-link';
      link.href = url;
      link.textContent = title;
      item.append(link);
      return item;
    }),
  );
}
