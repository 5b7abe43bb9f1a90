// Shares the page at its own dated address, or copies that address where the browser cannot share.

const korean = document.documentElement.lang === 'ko';

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('[data-share]');
for (const button of buttons) {
  button.addEventListener('click', () => void share(button));
  button.hidden = false;
}

/** @param {HTMLButtonElement} button */
async function share(button) {
  const url = document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? location.href;
  const shared = { title: button.dataset.share ?? document.title, url };
  if (navigator.share !== undefined) {
    // The visitor may close the sheet again.
    await navigator.share(shared).catch(() => {});
    return;
  }
  let said = korean ? '링크를 복사했어요' : 'Link copied';
  try {
    await navigator.clipboard.writeText(url);
  } catch {
    said = url;
  }
  const note = document.createElement('p');
  note.className = 'toast';
  note.setAttribute('role', 'status');
  document.body.append(note);
  // A status is read out when its text changes, not when it is put in.
  setTimeout(() => (note.textContent = said), 50);
  setTimeout(() => note.remove(), 5_000);
}
