// A dish opens over the page: its photo, its sides and its nutrition. Without the script it has a page of its own.

const korean = document.documentElement.lang === 'ko';

/** Puts the table that the link leads to in its place, or says why there is none. @param {HTMLAnchorElement} link */
async function showDishes(link) {
  const place = link.parentElement;
  if (place === null || place.ariaBusy === 'true') return;
  place.ariaBusy = 'true';
  try {
    const response = await fetch(link.href, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const table = page.querySelector('main table.dishes');
    const failure = page.querySelector('main .note.warn, main .error h1')?.textContent;
    if (table === null) {
      place.textContent =
        failure ?? (korean ? '음식별 영양 정보가 없어요.' : 'There is no nutrition by dish.');
    } else {
      // Beside the table of the whole menu.
      const beside = place.parentElement?.querySelector('.scroll');
      if (beside) beside.append(document.adoptNode(table));
      else place.before(document.adoptNode(table));
      place.remove();
    }
  } catch {
    // Offline: the link stays.
  }
  place.ariaBusy = 'false';
}

document.addEventListener(
  'toggle',
  (event) => {
    const details = /** @type {HTMLDetailsElement} */ (event.target);
    /** @type {HTMLAnchorElement | null} */
    const link = details.open ? details.querySelector('a[data-dishes]') : null;
    if (link !== null) void showDishes(link);
  },
  true,
);

/** @type {HTMLDialogElement | undefined} */
let dialog;

/** An empty dialog with a button to close it. */
function emptied() {
  if (dialog === undefined) {
    dialog = document.createElement('dialog');
    dialog.className = 'dish';
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
  }
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.setAttribute('aria-label', korean ? '닫기' : 'Close');
  close.textContent = '✕';
  form.append(close);
  dialog.replaceChildren(form);
  return dialog;
}

/** What one may do with a dish, from the addresses in its list. @param {HTMLElement} item @param {HTMLAnchorElement} link */
function links(item, link) {
  const list = item.closest('ul');
  const more = document.createElement('a');
  more.href = link.href;
  more.dataset.dishes = '';
  more.textContent = list?.dataset.moreLabel ?? '';
  const alarm = document.createElement('a');
  const address = new URL(list?.dataset.alarm ?? '/alarm', location.href);
  address.searchParams.set('dish', link.textContent ?? '');
  alarm.href = address.href;
  alarm.textContent = list?.dataset.alarmLabel ?? '';
  const shown = [
    ...(item.dataset.dish === 'more' ? [more] : []),
    ...(item.dataset.dish === 'bundle' || alarm.textContent === '' ? [] : [alarm]),
  ];
  return shown.map((each) => {
    const line = document.createElement('p');
    line.className = 'more';
    line.append(each);
    return line;
  });
}

/** Shows all that the page knows of a dish. @param {Element} item @param {HTMLAnchorElement} link */
function open(item, link) {
  const opened = emptied();
  const photo = item.querySelector('.photo');
  if (photo !== null) {
    const large = /** @type {HTMLElement} */ (photo.cloneNode(true));
    const image = large.querySelector('img');
    if (image !== null && large.dataset.large !== undefined) image.src = large.dataset.large;
    opened.append(large);
  }
  const body = document.createElement('div');
  body.className = 'body';
  const text = item.querySelector('.text')?.cloneNode(true);
  if (text instanceof Element) {
    const name = document.createElement('h2');
    name.lang = text.querySelector('h3')?.lang ?? '';
    name.textContent = link.textContent;
    text.querySelector('h3')?.replaceWith(name);
    body.append(text);
  }
  for (const note of item.querySelectorAll('.note, .energy')) body.append(note.cloneNode(true));
  const template = item.querySelector('template');
  if (template !== null) body.append(template.content.cloneNode(true));
  body.append(...links(/** @type {HTMLElement} */ (item), link));
  opened.append(body);
  opened.setAttribute('aria-label', (item.querySelector('.other-name') ?? link).textContent ?? '');
  opened.showModal();
  opened.scrollTop = 0;
  /** @type {HTMLAnchorElement | null} */
  const more = opened.querySelector('a[data-dishes]');
  if (more !== null) void showDishes(more);
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = /** @type {HTMLElement} */ (event.target).closest?.('a.whole');
  const item = link?.closest('[data-dish]');
  if (!(link instanceof HTMLAnchorElement) || item === null || item === undefined) return;
  event.preventDefault();
  open(item, link);
});
