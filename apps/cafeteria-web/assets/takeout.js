// Sums while picking, without a reload. The form does the same without.

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
