// The day page's conveniences: photos in a dialog, sums while picking, arrow keys between days. All of it works without.

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
    close.textContent = document.documentElement.lang === 'ko' ? '닫기' : 'Close';
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

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form.takeout');
if (form !== null) {
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'));
  const title = /** @type {HTMLElement} */ (output.querySelector('strong'));
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const boxes = () => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input[name=pick]')]);
  const update = () => {
    const picked = boxes()
      .filter((box) => box.checked)
      .map((box) => JSON.parse(box.dataset.nutrition ?? '{}'));
    const label =
      picked.length === 1 ? output.dataset.one : output.dataset.many?.replace('2', String(picked.length));
    title.textContent = (picked.length === 0 ? output.dataset.none : label) ?? '';
    /** @type {NodeListOf<HTMLElement>} */
    const sums = output.querySelectorAll('[data-sum]');
    for (const sum of sums) {
      const key = sum.dataset.sum ?? '';
      const known = picked.map((each) => each[key]).filter((value) => value !== undefined);
      sum.hidden = known.length === 0;
      // Tenths as integers: sums show no rounding dust.
      const total = known.reduce((all, value) => all + Math.round(value * 10), 0) / 10;
      const missing = picked.length - known.length;
      const note = missing === 0 ? '' : ` ${sum.dataset.missing?.replace('0', String(missing)) ?? ''}`;
      /** @type {HTMLElement} */ (sum.querySelector('b')).textContent =
        `${format.format(total)} ${sum.dataset.unit}${note}`;
    }
    const query = new URLSearchParams(location.search);
    query.delete('pick');
    for (const box of boxes()) if (box.checked) query.append('pick', box.value);
    history.replaceState(history.state, '', `?${query}`);
  };
  form.addEventListener('change', update);
  form.classList.add('live');
  form.querySelector('.pick-bar a')?.addEventListener('click', (event) => {
    event.preventDefault();
    for (const box of boxes()) box.checked = false;
    update();
  });
}

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.closest?.('input, textarea, select, dialog, .scroll, .week-table') !== null || dialog?.open)
    return;
  /** @type {HTMLAnchorElement | null} */
  const step = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
  step?.click();
});

/** @type {HTMLFormElement | null} */
const pickDate = document.querySelector('.pick-date form');
pickDate?.querySelector('input[type=date]')?.addEventListener('change', (event) => {
  // Typing a year digit by digit passes through dates that nobody means.
  if (/^20\d\d-/.test(/** @type {HTMLInputElement} */ (event.target).value)) pickDate.requestSubmit();
});
