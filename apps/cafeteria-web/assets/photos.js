// Photos: large in a dialog, and a placeholder for those that do not load. Links and the browser do without it.

const korean = document.documentElement.lang === 'ko';

/** @type {HTMLDialogElement | undefined} */
let dialog;

/** @param {HTMLAnchorElement} link */
function enlarge(link) {
  const small = link.querySelector('img');
  if (dialog === undefined) {
    dialog = document.createElement('dialog');
    dialog.className = 'lightbox';
    const form = document.createElement('form');
    form.method = 'dialog';
    const close = document.createElement('button');
    close.textContent = korean ? '닫기' : 'Close';
    form.append(document.createElement('span'), close);
    dialog.append(document.createElement('img'), form);
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
  }
  const image = /** @type {HTMLImageElement} */ (dialog.querySelector('img'));
  image.src = link.href;
  image.alt = small?.alt ?? '';
  const name = link.parentElement?.querySelector('h3')?.textContent ?? '';
  dialog.setAttribute('aria-label', image.alt);
  /** @type {HTMLElement} */ (dialog.querySelector('span')).textContent = name;
  dialog.showModal();
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = /** @type {HTMLElement} */ (event.target).closest?.('a[data-lightbox]');
  if (link === null || link === undefined) return;
  event.preventDefault();
  enlarge(/** @type {HTMLAnchorElement} */ (link));
});

/** Replaces a photo that did not load with the placeholder of a menu without one. @param {HTMLImageElement} image */
function showPlaceholder(image) {
  const box = document.createElement('span');
  box.className = 'photo none';
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('class', 'icon');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  shape.setAttribute('href', '#i-bowl');
  icon.append(shape);
  const text = document.createElement('span');
  text.className = 'quiet';
  text.textContent = korean ? '사진을 불러오지 못했어요' : 'The photo could not be loaded';
  box.append(icon, text);
  image.closest('.photo')?.replaceWith(box);
}

// Neither event bubbles: both are seen on their way down.
document.addEventListener(
  'error',
  (event) => {
    if (event.target instanceof HTMLImageElement) showPlaceholder(event.target);
  },
  true,
);
// Those that failed before this script ran; a copy, for the list shrinks.
for (const image of Array.from(document.images))
  if (image.complete && image.naturalWidth === 0) showPlaceholder(image);
