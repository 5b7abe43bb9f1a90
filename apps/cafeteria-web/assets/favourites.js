// My restaurants live in a cookie that only this script writes; the server reads it for the home page.
const NAME = 'my';
const MAX = 12;
const YEAR_S = 31_536_000;
const korean = document.documentElement.lang === 'ko';

/** @returns {string[]} keys `vendor.id` in the visitor's order */
function read() {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${NAME}=`));
  return found === undefined
    ? []
    : found
        .slice(NAME.length + 1)
        .split('~')
        .filter(Boolean);
}

/** @param {string[]} keys */
function write(keys) {
  const age = keys.length === 0 ? 0 : YEAR_S;
  document.cookie = `${NAME}=${keys.join('~')}; Path=/; Max-Age=${age}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
}

/** Home, in the language that the address asks for. @param {string} [part] */
function homeAddress(part = '') {
  const language = new URLSearchParams(location.search).get('lang');
  return `/${language === null ? '' : `?lang=${language}`}${part}`;
}

/** @type {HTMLElement | undefined} */
let toast;

/** Says what happened at the foot of the screen, with a link. @param {string} text @param {string} link @param {string} address */
function say(text, link, address) {
  if (toast === undefined) {
    toast = document.createElement('p');
    toast.className = 'toast';
    toast.setAttribute('role', 'status');
    document.querySelector('main')?.append(toast);
  }
  const leading = document.createElement('a');
  leading.href = address;
  leading.textContent = link;
  toast.replaceChildren(`${text} `, leading);
}

/** Shows which restaurants are kept; the buttons are hidden until then. */
function showStars() {
  const keys = read();
  /** @type {NodeListOf<HTMLElement>} */
  const stars = document.querySelectorAll('[data-favourite]');
  for (const star of stars) {
    const kept = keys.includes(star.dataset.favourite ?? '');
    if (star instanceof HTMLButtonElement) star.setAttribute('aria-pressed', String(kept));
    else star.toggleAttribute('data-kept', kept);
    star.setAttribute('aria-label', (kept ? star.dataset.remove : star.dataset.add) ?? '');
    star.hidden = false;
  }
}

/** @param {string} key */
function toggle(key) {
  const keys = read();
  if (keys.includes(key)) {
    write(keys.filter((each) => each !== key));
    say(
      korean ? '내 식당에서 뺐어요.' : 'Removed from my restaurants.',
      korean ? '첫 화면' : 'Home',
      homeAddress(),
    );
  } else if (keys.length >= MAX) {
    say(
      korean
        ? `내 식당은 ${MAX}곳까지예요. 한 곳을 빼면 추가할 수 있어요.`
        : `There is room for ${MAX} restaurants. Remove one to add another.`,
      korean ? '내 식당 관리' : 'My restaurants',
      homeAddress('#mine'),
    );
  } else {
    write([...keys, key]);
    say(
      korean
        ? `내 식당에 추가했어요 (${keys.length + 1}/${MAX}).`
        : `Added to my restaurants (${keys.length + 1} of ${MAX}).`,
      korean ? '메뉴 보기' : 'See the menus',
      homeAddress(),
    );
  }
  showStars();
}

document.addEventListener('click', (event) => {
  const star = /** @type {HTMLElement} */ (event.target).closest?.('[data-favourite]');
  if (!(star instanceof HTMLElement)) return;
  event.stopPropagation();
  toggle(star.dataset.favourite ?? '');
});
// Suggestions come and go, and another tab or an earlier page may have changed the list.
document.addEventListener('stars', showStars);
addEventListener('pageshow', showStars);
showStars();

/** Writes the order that the list shows. */
function writeOrder() {
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll('[data-favourite-item]');
  write([...items].map((each) => each.dataset.favouriteItem ?? ''));
}

function showEdits() {
  /** @type {NodeListOf<HTMLElement>} */
  const edits = document.querySelectorAll('[data-favourite-item] .edit');
  for (const edit of edits) edit.hidden = false;
}

const mine = document.querySelector('details.mine');
if (mine !== null) {
  showEdits();
  // The list is put in again while parts of it are being read.
  new MutationObserver(showEdits).observe(mine, { childList: true, subtree: true });
  if (location.hash === '#mine') mine.setAttribute('open', '');
  let isChanged = false;
  mine.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest('.edit button');
    const item = button?.closest('[data-favourite-item]');
    if (!(button instanceof HTMLElement) || item === null || item === undefined) return;
    const beside = item.nextElementSibling ?? item.previousElementSibling;
    if (button.dataset.drop !== undefined) item.remove();
    else if (button.dataset.move === '-1') item.previousElementSibling?.before(item);
    else item.nextElementSibling?.after(item);
    writeOrder();
    isChanged = true;
    // A button that is gone has no focus to keep.
    const next = button.isConnected ? button : beside?.querySelector('[data-drop]');
    if (next instanceof HTMLElement) next.focus();
    if (read().length === 0) location.reload();
  });
  /** @type {HTMLElement | undefined} */
  let dragged;
  mine.addEventListener('pointerdown', (event) => {
    const { target, pointerId } = /** @type {PointerEvent} */ (event);
    const grip = /** @type {HTMLElement} */ (target).closest('[data-grip]');
    const item = grip?.closest('[data-favourite-item]');
    if (!(item instanceof HTMLElement)) return;
    event.preventDefault();
    dragged = item;
    item.classList.add('dragged');
    grip?.setPointerCapture(pointerId);
  });
  mine.addEventListener('pointermove', (event) => {
    if (dragged === undefined) return;
    const { clientY } = /** @type {PointerEvent} */ (event);
    /** @param {Element} item */
    const middle = (item) => item.getBoundingClientRect().top + item.getBoundingClientRect().height / 2;
    const [from, siblings] = [dragged, [...(dragged.parentElement?.children ?? [])]];
    const at = siblings.indexOf(from);
    const above = siblings.slice(0, at).find((item) => clientY < middle(item));
    const below = siblings.slice(at + 1).findLast((item) => clientY > middle(item));
    if (above !== undefined) above.before(from);
    else below?.after(from);
  });
  const drop = () => {
    if (dragged === undefined) return;
    dragged.classList.remove('dragged');
    dragged = undefined;
    writeOrder();
    isChanged = true;
  };
  mine.addEventListener('pointerup', drop);
  mine.addEventListener('pointercancel', drop);
  // The menus above follow the list once it is closed.
  mine.addEventListener('toggle', () => {
    if (isChanged && !(/** @type {HTMLDetailsElement} */ (mine).open)) location.reload();
  });
}
