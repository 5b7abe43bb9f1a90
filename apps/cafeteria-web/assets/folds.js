// What unfolds over the page closes with a tap beside it and with Escape. Without the script its own summary closes it.

const opened = () =>
  /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('details.fold[open]')]);

document.addEventListener('click', (event) => {
  for (const fold of opened()) if (!fold.contains(/** @type {Node} */ (event.target))) fold.open = false;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const fold of opened()) {
    fold.open = false;
    fold.querySelector('summary')?.focus();
  }
});
