// The day's conveniences: nutrition by dish in place, sums while picking, arrow keys between days. All of it works without.

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
      const none =
        document.documentElement.lang === 'ko'
          ? '구성별 영양 정보가 없습니다.'
          : 'There is no nutrition by dish.';
      place.textContent = failure ?? none;
    } else {
      place.previousElementSibling?.append(document.adoptNode(table));
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

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form.takeout');
if (form !== null) {
  const output = /** @type {HTMLOutputElement} */ (form.querySelector('output'));
  const title = /** @type {HTMLElement} */ (output.querySelector('strong'));
  /** @type {HTMLAnchorElement | null} */
  const clear = form.querySelector('.pick-bar a');
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const boxes = () => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input[name=pick]')]);
  const update = () => {
    const picked = boxes()
      .filter((box) => box.checked)
      .map((box) => JSON.parse(box.dataset.nutrition ?? '{}'));
    const label =
      picked.length === 1 ? output.dataset.one : output.dataset.many?.replace('2', String(picked.length));
    title.textContent = (picked.length === 0 ? output.dataset.none : label) ?? '';
    if (clear !== null) clear.hidden = picked.length === 0;
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
  clear?.addEventListener('click', (event) => {
    event.preventDefault();
    for (const box of boxes()) box.checked = false;
    update();
  });
}

document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (
    target.closest?.('input, textarea, select, dialog, .scroll, .week-table') !== null ||
    document.querySelector('dialog[open]') !== null
  )
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
