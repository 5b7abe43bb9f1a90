// What was still being read when the page was sent is put in its place once it is there, without a reload.

const FIRST_MS = 700;
const LONGEST_MS = 8_000;
const MAX_TRIES = 24;

/** @param {Element} element */
const isInUse = (element) =>
  element.contains(document.activeElement) &&
  document.activeElement?.matches('input, select, textarea') === true;

/** Puts the parts of a newer page into this one. Returns true when none of it is on its way any more. @param {Document} newer */
function adopt(newer) {
  const main = document.querySelector('main');
  const isThere = newer.querySelector('main[data-loading]') === null;
  // An error page has no parts: all of it makes way for the page itself.
  if (main === null || main.querySelector('[data-live]') === null) {
    if (isThere) location.reload();
    return isThere;
  }
  // The meal of the moment is another one: so are headings and links.
  if (newer.querySelector('main')?.dataset.until !== main.dataset.until && !isInUse(main)) {
    location.reload();
    return true;
  }
  let isLeft = false;
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll('[data-live]');
  for (const part of parts) {
    const fresh = newer.querySelector(`[data-live="${CSS.escape(part.dataset.live ?? '')}"]`);
    if (fresh === null || fresh.outerHTML === part.outerHTML) continue;
    if (isInUse(part)) isLeft = true;
    else part.replaceWith(document.adoptNode(fresh));
  }
  return isThere && !isLeft;
}

/** Resolves once somebody looks at the page. */
async function visible() {
  while (document.hidden)
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
}

async function follow() {
  let waitMs = FIRST_MS;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    waitMs = Math.min(LONGEST_MS, waitMs * 1.4);
    await visible();
    try {
      const response = await fetch(location.href, { headers: { Accept: 'text/html' }, cache: 'no-store' });
      if (response.status !== 200 && response.status !== 503) continue;
      const newer = new DOMParser().parseFromString(await response.text(), 'text/html');
      if (!adopt(newer)) continue;
      const main = document.querySelector('main');
      main?.removeAttribute('data-loading');
      const said = document.createElement('p');
      said.className = 'quiet';
      said.setAttribute('role', 'status');
      main?.append(said);
      // A status is read out when its text changes, not when it is put in.
      setTimeout(() => {
        said.textContent =
          document.documentElement.lang === 'ko' ? '메뉴를 불러왔어요.' : 'The menu is here.';
      }, 100);
      return;
    } catch {
      // The network is away for a moment: tried again.
    }
  }
}

if (document.querySelector('main[data-loading]') !== null) void follow();
