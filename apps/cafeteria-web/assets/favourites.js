// My restaurants live in a cookie that only this script writes; the server reads it for the home page.
const NAME = 'my';
const MAX = 12;
const YEAR_S = 31_536_000;

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
  document.cookie = `${NAME}=${keys.slice(0, MAX).join('~')}; Path=/; Max-Age=${age}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
}

/** @type {NodeListOf<HTMLButtonElement>} */
const stars = document.querySelectorAll('[data-favourite]');
for (const star of stars) {
  const key = star.dataset.favourite ?? '';
  const show = () => {
    const kept = read().includes(key);
    star.setAttribute('aria-pressed', String(kept));
    star.setAttribute('aria-label', (kept ? star.dataset.remove : star.dataset.add) ?? '');
  };
  star.addEventListener('click', () => {
    const keys = read();
    write(keys.includes(key) ? keys.filter((each) => each !== key) : [key, ...keys]);
    show();
  });
  show();
  star.hidden = false;
}

// On the document: the list is put in again while parts of it are being read.
document.addEventListener('click', (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest?.('.edit button');
  const item = button?.closest('[data-favourite-item]');
  if (!(button instanceof HTMLElement) || item === null || item === undefined) return;
  if (button.dataset.drop !== undefined) {
    item.remove();
  } else if (button.dataset.move === '-1') {
    item.previousElementSibling?.before(item);
  } else {
    item.nextElementSibling?.after(item);
  }
  button.focus();
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll('[data-favourite-item]');
  write([...items].map((each) => each.dataset.favouriteItem ?? ''));
  if (items.length === 0) location.reload();
});

/** @type {HTMLButtonElement | null} */
const editMine = document.querySelector('[data-edit-mine]');
if (editMine !== null) {
  editMine.hidden = false;
  editMine.addEventListener('click', () => {
    const open = editMine.ariaExpanded !== 'true';
    editMine.ariaExpanded = String(open);
    /** @type {NodeListOf<HTMLElement>} */
    const edits = document.querySelectorAll('[data-favourite-item] .edit');
    for (const edit of edits) edit.hidden = !open;
  });
}
