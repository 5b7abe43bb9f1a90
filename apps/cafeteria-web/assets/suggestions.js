// Suggestions as you type: a combobox with a grid of restaurants and their stars, and a row that leads to the dishes
// (ARIA Authoring Practices, combobox with a grid popup).
const DELAY_MS = 120;
const LIMIT = 8;
/** With fewer restaurants than this, people may be looking for a dish. */
const FEW = 3;
const korean = document.documentElement.lang === 'ko';

/** @typedef {{ id: string, vendor: string, name: string, path: string, location: string[] }} Found */

/** @type {HTMLInputElement | null} */
const input = document.querySelector('[data-suggest]');
if (input !== null) attach(input);

/** @param {string} address */
function open(address) {
  const language = new URLSearchParams(location.search).get('lang');
  const url = new URL(address, location.origin);
  if (language !== null) url.searchParams.set('lang', language);
  location.assign(url);
}

/** @param {string} tag @param {string} text @param {string} [role] */
function element(tag, text, role) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (role !== undefined) made.setAttribute('role', role);
  return made;
}

/** A star that favourites.js works. @param {Found} restaurant */
function star({ vendor, id, name }) {
  const cell = element('span', '', 'gridcell');
  cell.className = 'star';
  cell.hidden = true;
  cell.dataset.favourite = `${vendor}.${encodeURIComponent(id)}`;
  cell.dataset.add = `${korean ? '내 식당에 추가' : 'Add to my restaurants'}: ${name}`;
  cell.dataset.remove = `${korean ? '내 식당에서 빼기' : 'Remove from my restaurants'}: ${name}`;
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('class', 'icon');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  shape.setAttribute('href', '#i-star');
  icon.append(shape);
  cell.append(icon);
  return cell;
}

/** @param {HTMLInputElement} input */
function attach(input) {
  const list = document.createElement('div');
  list.id = 'suggestions';
  list.className = 'suggestions';
  list.setAttribute('role', 'grid');
  list.setAttribute('aria-label', input.labels?.[0]?.textContent ?? '');
  list.hidden = true;
  const status = document.createElement('p');
  status.className = 'quiet';
  status.setAttribute('role', 'status');
  input.closest('form')?.append(list, status);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-haspopup', 'grid'],
    ['aria-expanded', 'false'],
    ['aria-controls', list.id],
  ]) {
    input.setAttribute(name, value);
  }

  /** Each row's cells: what opens, and a star. @type {HTMLElement[][]} */
  let rows = [];
  let [row, column] = [-1, 0];
  let timer = 0;
  let asked = new AbortController();

  const select = () => {
    const active = rows[row]?.[Math.min(column, (rows[row]?.length ?? 1) - 1)];
    for (const cell of rows.flat()) cell.setAttribute('aria-selected', String(cell === active));
    if (active === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', active.id);
      active.scrollIntoView({ block: 'nearest' });
    }
    return active;
  };
  const close = () => {
    list.hidden = true;
    [row, column] = [-1, 0];
    input.setAttribute('aria-expanded', 'false');
    select();
  };
  /** @param {HTMLElement[]} cells @param {string} address */
  const addRow = (cells, address) => {
    const line = element('div', '', 'row');
    cells.forEach((cell, at) => {
      cell.id = `suggestion-${rows.length}-${at}`;
    });
    for (const cell of cells) cell.dataset.address = address;
    cells[0]?.addEventListener('click', () => open(address));
    line.append(...cells);
    list.append(line);
    rows.push(cells);
  };
  /** @param {Found[]} found @param {number} dishes @param {boolean} incomplete whether an operator could not be searched */
  const show = (found, dishes, incomplete) => {
    const chosen = rows[row]?.[0]?.dataset.address;
    list.replaceChildren();
    rows = [];
    for (const restaurant of found) {
      const cell = element('span', '', 'gridcell');
      cell.append(element('strong', restaurant.name), element('small', restaurant.location.join(' › ')));
      addRow([cell, star(restaurant)], restaurant.path);
    }
    const query = input.value.trim();
    if (dishes > 0) {
      const text = korean ? `‘${query}’ 메뉴 ${dishes}개 보기` : `See ${dishes} menus with “${query}”`;
      const cell = element('span', '', 'gridcell');
      cell.append(element('strong', text));
      addRow([cell], `/?${new URLSearchParams({ q: query })}`);
    }
    const none = (incomplete ? input.dataset.incomplete : input.dataset.none) ?? '';
    if (rows.length === 0) {
      const line = element('div', '', 'row');
      line.append(element('span', none, 'gridcell'));
      list.append(line);
    }
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    // What was chosen while more was typed stays chosen if it is still there.
    row = rows.findIndex(([cell]) => cell?.dataset.address === chosen);
    if (row < 0) column = 0;
    select();
    const count = (input.dataset.count ?? '').replace('0', String(found.length));
    status.textContent = rows.length === 0 ? none : count;
    document.dispatchEvent(new Event('stars'));
  };
  /** How many menus have the dish. @param {string} query @param {AbortSignal} signal */
  const countDishes = async (query, signal) => {
    const response = await fetch(`/proxy/dishes?${new URLSearchParams({ q: query, limit: '1' })}`, {
      signal,
    });
    return response.ok ? (await response.json()).total : 0;
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
    const { signal } = asked;
    try {
      const url = `${input.dataset.suggest}?${new URLSearchParams({ q: query, limit: String(LIMIT) })}`;
      const response = await fetch(url, { signal });
      const incomplete = response.headers.has('Incomplete-Operators');
      if (!response.ok && !incomplete) return;
      /** @type {Found[]} */
      const found = response.ok ? await response.json() : [];
      const dishes = found.length < FEW ? await countDishes(query, signal) : 0;
      if (document.activeElement === input) show(found, dishes, incomplete);
    } catch {
      // Typed on, or offline: the form still works.
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, DELAY_MS);
  });
  input.addEventListener('blur', close);
  // A press on a suggestion leaves the focus where it is.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  input.addEventListener('keydown', (event) => {
    // Enter and arrows that end the composition of a Hangul syllable belong to the input method.
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      close();
      return;
    }
    if (list.hidden || rows.length === 0) return;
    if (event.key === 'ArrowDown') row = (row + 1) % rows.length;
    else if (event.key === 'ArrowUp') row = row <= 0 ? rows.length - 1 : row - 1;
    else if (event.key === 'ArrowRight' && row >= 0) column = 1;
    else if (event.key === 'ArrowLeft' && row >= 0) column = 0;
    else if (event.key === 'Enter' && row >= 0) select()?.click();
    else return;
    select();
    event.preventDefault();
  });
}
