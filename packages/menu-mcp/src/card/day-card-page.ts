// Runs in the frame of a host, so it is kept as text: it has no access to this package, loads only photos and writes
// nothing as HTML. Messages: JSON-RPC over postMessage, SEP-1865 of 2026-01-26.
const SCRIPT = String.raw`
'use strict';
const WORDS = {
  ko: { takeout: '포장', soldOut: '품절', open: '메뉴 페이지 열기', empty: '등록된 메뉴가 없어요.', noMeal: '이 날짜에 등록된 메뉴가 없어요.', failed: '{meal} 메뉴를 불러오지 못했어요. 메뉴가 없다는 뜻은 아니에요.', loading: '{meal} 메뉴를 불러오는 중이에요. 잠시 뒤 다시 물어봐 주세요.', next: '메뉴가 있는 다음 날은 {date}이에요.', stale: '지금은 불러오지 못해 이전에 불러온 메뉴예요.', wait: '메뉴를 불러오는 중이에요.', allergens: '알레르기 정보는 제공되지 않아요.' },
  en: { takeout: 'Takeout', soldOut: 'Sold out', open: 'Open the menu page', empty: 'No menu is published.', noMeal: 'No menu is published for this date.', failed: 'The menu of {meal} could not be loaded. That does not mean there is none.', loading: 'The menu of {meal} is still loading. Ask again in a moment.', next: 'The next day with a menu is {date}.', stale: 'It cannot be loaded now; this is an earlier menu.', wait: 'Loading the menu.', allergens: 'Allergens are not published.' },
};
const main = document.querySelector('main');
let language = (navigator.language || 'ko').startsWith('ko') ? 'ko' : 'en';
let latest;
let opensLinks = false;
let lastId = 0;
const waiting = new Map();
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const notify = (method, params = {}) => send({ method, params });
const ask = (method, params) => new Promise((resolve) => {
  lastId += 1;
  waiting.set(lastId, resolve);
  send({ id: lastId, method, params });
});
function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
function photoOf(menu) {
  const box = element('div', 'photo');
  if (!/^https?:\/\//.test(menu.photoUrl || '')) return box;
  const image = element('img');
  image.alt = '';
  image.loading = 'lazy';
  image.onerror = () => image.remove();
  image.src = menu.photoUrl;
  box.append(image);
  return box;
}
function cardOf(menu, words) {
  const item = element('li');
  const text = element('div', 'text');
  const { caloriesKcal, proteinG } = menu.nutrition || {};
  const marks = [menu.corner, menu.serving === 'take-out' ? words.takeout : '', menu.soldOut ? words.soldOut : ''];
  const facts = [caloriesKcal === undefined ? '' : caloriesKcal + ' kcal', proteinG === undefined ? '' : proteinG + ' g protein'];
  if (language === 'ko' && proteinG !== undefined) facts[1] = '단백질 ' + proteinG + ' g';
  text.append(element('small', 'marks', marks.filter(Boolean).join(' · ')), element('strong', '', menu.name));
  text.append(element('small', 'facts', facts.filter(Boolean).join(' · ')));
  if (menu.dishes) text.append(element('small', 'dishes', menu.dishes.join(', ')));
  item.append(photoOf(menu), text);
  return item;
}
function sectionOf(period, words) {
  const section = element('section');
  section.append(element('h2', '', period.label));
  const note = { empty: words.empty, failed: words.failed, loading: words.loading, stale: words.stale }[period.status];
  if (note) section.append(element('p', 'note', note.replace('{meal}', () => period.label)));
  const list = element('ul');
  list.append(...period.menus.map((menu) => cardOf(menu, words)));
  section.append(list);
  return section;
}
const dateOf = (date) => new Date(date + 'T00:00:00Z').toLocaleDateString(language === 'ko' ? 'ko-KR' : 'en-US', { month: 'long', day: 'numeric', weekday: 'short', timeZone: 'UTC' });
function show() {
  const words = WORDS[language];
  document.documentElement.lang = language;
  const day = latest && latest.structuredContent;
  if (!day || latest.isError) {
    const said = latest && latest.content && latest.content[0] && latest.content[0].text;
    main.replaceChildren(element('p', 'note', said || words.wait));
    return;
  }
  const head = element('header');
  head.append(element('h1', '', day.restaurant.name), element('p', 'place', [dateOf(day.date), ...day.restaurant.location].join(' · ')));
  main.replaceChildren(head, ...day.periods.map((period) => sectionOf(period, words)));
  if (day.periods.length === 0) main.append(element('p', 'note', words.noMeal));
  if (day.nextDate) main.append(element('p', 'note', words.next.replace('{date}', dateOf(day.nextDate))));
  const foot = element('footer');
  if (opensLinks && day.restaurant.url) {
    const button = element('button', '', words.open);
    button.type = 'button';
    button.onclick = () => ask('ui/open-link', { url: day.restaurant.url });
    foot.append(button);
  }
  foot.append(element('small', '', words.allergens));
  main.append(foot);
}
function adopt(context) {
  if (!context) return;
  if (context.theme) document.documentElement.style.colorScheme = context.theme;
  if (context.locale) language = context.locale.startsWith('ko') ? 'ko' : 'en';
  for (const [name, value] of Object.entries((context.styles && context.styles.variables) || {}))
    if (value && name.startsWith('--')) document.documentElement.style.setProperty(name, value);
  show();
}
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return;
  if (data.method === undefined) {
    const resolve = waiting.get(data.id);
    waiting.delete(data.id);
    if (resolve) resolve(data.result || {});
  } else if (data.method === 'ui/notifications/tool-result') {
    latest = data.params;
    show();
  } else if (data.method === 'ui/notifications/tool-cancelled') {
    main.replaceChildren();
  } else if (data.method === 'ui/notifications/host-context-changed') {
    adopt(data.params);
  } else if (data.id !== undefined) {
    const known = data.method === 'ping' || data.method === 'ui/resource-teardown';
    send(known ? { id: data.id, result: {} } : { id: data.id, error: { code: -32601, message: 'Method not found' } });
  }
});
show();
new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
}).observe(document.documentElement);
ask('ui/initialize', {
  appInfo: { name: 'menu-day', version: '1.0.0' },
  appCapabilities: { availableDisplayModes: ['inline'] },
  protocolVersion: '2026-01-26',
}).then(({ hostContext, hostCapabilities }) => {
  opensLinks = Boolean(hostCapabilities && hostCapabilities.openLinks);
  adopt(hostContext);
  notify('ui/notifications/initialized');
});
`;

// Uses the host's colours and fonts if it names them.
const STYLE = `
:root { color-scheme: light dark; font: 14px/1.5 var(--font-sans, system-ui, sans-serif); color: var(--color-text-primary, light-dark(#1f1a17, #f3eee9)); background: var(--color-background-primary, transparent); }
body { margin: 0; padding: 12px; }
h1 { font-size: 17px; margin: 0; }
h2 { font-size: 15px; margin: 14px 0 6px; }
p, ul { margin: 0; padding: 0; }
ul { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 8px; }
li { border: 1px solid var(--color-border-primary, light-dark(#e6ddd5, #453d37)); border-radius: var(--border-radius-md, 10px); overflow: hidden; }
.photo:empty { display: none; }
.photo:not(:has(img)) { display: none; }
.photo img { display: block; width: 100%; aspect-ratio: 16 / 10; object-fit: cover; }
.text { display: grid; padding: 8px 10px; }
.place, .note, small { color: var(--color-text-secondary, light-dark(#6b5f56, #b8aca2)); font-size: 12px; }
footer { display: flex; gap: 12px; align-items: center; margin-top: 12px; }
button { font: inherit; padding: 6px 12px; border-radius: 8px; border: 1px solid currentColor; background: transparent; color: inherit; cursor: pointer; }
`;

/** The page of the card: one HTML document whose only addresses are those of the photos that it is given. */
export const DAY_CARD_PAGE = `<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Menu</title><style>${STYLE}</style></head><body><main></main><script>${SCRIPT}</script></body></html>
`;
