// Suggestions as you type: a combobox with a list box (ARIA Authoring Practices, editable combobox with list autocomplete).
const DELAY_MS = 120;
const LIMIT = 8;

/** @typedef {{ name: string, path: string, location: string[] }} Found */

/** @type {HTMLInputElement | null} */
const input = document.querySelector('[data-suggest]');
if (input !== null) attach(input);

/** @param {HTMLInputElement} input */
function attach(input) {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', input.labels?.[0]?.textContent ?? '');
  list.hidden = true;
  const status = document.createElement('p');
  status.className = 'quiet';
  status.setAttribute('role', 'status');
  input.closest('form')?.append(list, status);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
  ]) {
    input.setAttribute(name, value);
  }

  /** @type {Found[]} */
  let found = [];
  let active = -1;
  let timer = 0;
  let asked = new AbortController();

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  /** @param {number} index */
  const select = (index) => {
    active = index;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  };
  /** @param {Found | undefined} restaurant */
  const open = (restaurant) => {
    if (restaurant === undefined) return;
    const language = new URLSearchParams(location.search).get('lang');
    location.assign(restaurant.path + (language === null ? '' : `?lang=${language}`));
  };
  /** @param {boolean} incomplete whether an operator could not be searched */
  const show = (incomplete) => {
    list.replaceChildren(
      ...found.map((restaurant, index) => {
        const option = document.createElement('li');
        option.id = `suggestion-${index}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        const name = document.createElement('strong');
        name.textContent = restaurant.name;
        const place = document.createElement('small');
        place.textContent = restaurant.location.join(' › ');
        option.append(name, place);
        option.addEventListener('pointerdown', (event) => event.preventDefault());
        option.addEventListener('click', () => open(restaurant));
        return option;
      }),
    );
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    select(-1);
    const none = incomplete ? input.dataset.incomplete : input.dataset.none;
    status.textContent =
      found.length === 0 ? (none ?? '') : (input.dataset.count ?? '').replace('0', String(found.length));
  };
  const ask = async () => {
    asked.abort();
    const query = input.value.trim();
    if (query === '') {
      status.textContent = '';
      close();
      return;
    }
    asked = new AbortController();
    try {
      const url = `${input.dataset.suggest}?${new URLSearchParams({ q: query, limit: String(LIMIT) })}`;
      const response = await fetch(url, { signal: asked.signal });
      const incomplete = response.headers.has('Incomplete-Operators');
      if (!response.ok && !incomplete) return;
      found = response.ok ? await response.json() : [];
      if (document.activeElement === input) show(incomplete);
    } catch {
      // Typed on, or offline: the form still works.
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, DELAY_MS);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    // Enter and arrows that end the composition of a Hangul syllable belong to the input method.
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      close();
      return;
    }
    if (list.hidden || found.length === 0) return;
    if (event.key === 'ArrowDown') select((active + 1) % found.length);
    else if (event.key === 'ArrowUp') select(active <= 0 ? found.length - 1 : active - 1);
    else if (event.key === 'Enter' && active >= 0) open(found[active]);
    else return;
    event.preventDefault();
  });
}
