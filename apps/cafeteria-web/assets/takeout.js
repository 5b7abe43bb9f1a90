// Sums, coins and counts while picking, without a reload. The form does the same without.

const MAX_OF_ONE = 9;
const korean = document.documentElement.lang === 'ko';

/** @type {HTMLFormElement | null} */
const form = document.querySelector('form.takeout');
if (form !== null) {
  const bar = /** @type {HTMLElement} */ (form.querySelector('.pick-bar'));
  const output = /** @type {HTMLOutputElement} */ (bar.querySelector('output'));
  const title = /** @type {HTMLElement} */ (output.querySelector('strong'));
  /** @type {HTMLAnchorElement | null} */
  const clear = bar.querySelector('a');
  const budget = /** @type {HTMLInputElement} */ (bar.querySelector('input[name=coins]'));
  const drinks = /** @type {HTMLInputElement} */ (form.querySelector('input[name=drinks]'));
  const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const boxes = () =>
    /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('input[type=checkbox][name=pick]')]);
  const countOf = (/** @type {HTMLInputElement} */ box) =>
    box.checked ? Math.max(1, Number(box.dataset.count ?? 1)) : 0;

  /** Shows how many are taken, with buttons for one less and one more. @param {HTMLInputElement} box */
  const showCount = (box) => {
    const label = box.closest('label');
    const count = countOf(box);
    const shown = label?.nextElementSibling?.matches('.count') ? label.nextElementSibling : undefined;
    if (count === 0) return shown?.remove();
    const counter = shown ?? document.createElement('span');
    if (shown === undefined) {
      counter.className = 'count';
      const number = document.createElement('b');
      const step = (/** @type {string} */ sign, /** @type {string} */ name) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = sign;
        button.dataset.step = sign;
        button.setAttribute('aria-label', name);
        return button;
      };
      counter.append(
        step('−', korean ? '하나 빼기' : 'One less'),
        number,
        step('+', korean ? '하나 더' : 'One more'),
      );
      label?.after(counter);
    }
    /** @type {HTMLElement} */ (counter.querySelector('b')).textContent = String(count);
  };

  const update = () => {
    const taken = boxes().flatMap((box) => Array.from({ length: countOf(box) }, () => box));
    const facts = taken.map((box) => JSON.parse(box.dataset.nutrition ?? '{}'));
    if (clear !== null) clear.hidden = taken.length === 0;
    /** @type {NodeListOf<HTMLElement>} */
    const sums = bar.querySelectorAll('[data-sum]');
    let kcal = '';
    for (const sum of sums) {
      const key = sum.dataset.sum ?? '';
      const known = facts.map((each) => each[key]).filter((value) => value !== undefined);
      sum.hidden = known.length === 0;
      // Tenths as integers: sums show no rounding dust.
      const total = known.reduce((all, value) => all + Math.round(value * 10), 0) / 10;
      const missing = taken.length - known.length;
      const note = missing === 0 ? '' : ` ${sum.dataset.missing?.replace('0', String(missing)) ?? ''}`;
      /** @type {HTMLElement} */ (sum.querySelector('b')).textContent =
        `${format.format(total)} ${sum.dataset.unit}${note}`;
      if (key === 'caloriesKcal' && known.length > 0) kcal = ` · ${format.format(total)} kcal`;
    }
    const priced = taken.filter(({ dataset }) => dataset.coins !== undefined);
    const least = priced.reduce((sum, { dataset }) => sum + Number(dataset.coins?.split('~')[0]), 0);
    const most = priced.reduce((sum, { dataset }) => sum + Number(dataset.coins?.split('~').at(-1)), 0);
    const coins = least === most ? String(least) : `${least}~${most}`;
    const line =
      priced.length === 0
        ? output.dataset.sumOf?.replace('7', String(taken.length))
        : output.dataset.coinsOf?.replace('{coins}', coins).replace('{budget}', budget.value);
    title.textContent = taken.length === 0 ? (output.dataset.none ?? '') : `${line}${kcal}`;
    bar.classList.toggle('over-budget', least > Number(budget.value));
    const query = new URLSearchParams(location.search);
    for (const name of ['pick', 'coins', 'drinks']) query.delete(name);
    if (drinks.checked) query.set('drinks', 'off');
    if (budget.value !== budget.defaultValue || location.search.includes('coins='))
      query.set('coins', budget.value);
    for (const box of taken) query.append('pick', box.value);
    history.replaceState(history.state, '', `?${query}`);
  };

  form.addEventListener('change', ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (input === drinks) form.classList.toggle('no-drinks', drinks.checked);
    else if (input !== budget) {
      input.dataset.count = '1';
      showCount(input);
    }
    update();
  });
  form.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest?.('.count button');
    const box = button?.parentElement?.previousElementSibling?.querySelector('input');
    if (!(button instanceof HTMLElement) || box === null || box === undefined) return;
    event.preventDefault();
    const count = countOf(box) + (button.dataset.step === '−' ? -1 : 1);
    box.dataset.count = String(Math.min(MAX_OF_ONE, count));
    box.checked = count > 0;
    if (count === 0) box.focus();
    showCount(box);
    update();
  });
  // What the form without the script needs; the script counts by itself.
  for (const spare of form.querySelectorAll('input[type=hidden][name=pick], .count')) spare.remove();
  for (const box of boxes()) showCount(box);
  form.classList.add('live');
  // Ticked while this script was on its way.
  if (boxes().some((box) => box.checked)) update();
  clear?.addEventListener('click', (event) => {
    event.preventDefault();
    for (const box of boxes()) {
      box.checked = false;
      showCount(box);
    }
    update();
  });
}
