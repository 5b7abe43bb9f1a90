// Arrow keys between days, and the date picker without its button. Both work without.

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
