// The colours that a visitor chose, before anything is drawn. Without the script, or a choice, those of the system.

(() => {
  const GROUNDS = { light: '#fdfaf6', dark: '#171412' };
  const read = () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      // Storage is not allowed here: nothing was chosen.
      return null;
    }
  };
  const apply = () => {
    const chosen = read();
    const theme = chosen === 'light' || chosen === 'dark' ? chosen : undefined;
    if (theme === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    /** @type {NodeListOf<HTMLMetaElement>} */
    const bars = document.querySelectorAll('meta[name=theme-color]');
    for (const bar of bars) bar.content = GROUNDS[theme ?? (bar.media.includes('dark') ? 'dark' : 'light')];
    /** @type {NodeListOf<HTMLInputElement>} */
    const choices = document.querySelectorAll('.themes input');
    for (const choice of choices) choice.checked = choice.value === (theme ?? '');
  };
  apply();
  // Another tab.
  addEventListener('storage', apply);
  addEventListener('DOMContentLoaded', () => {
    const themes = document.querySelector('.themes');
    if (!(themes instanceof HTMLElement)) return;
    themes.hidden = false;
    apply();
    themes.addEventListener('change', (event) => {
      const { value } = /** @type {HTMLInputElement} */ (event.target);
      try {
        if (value === '') localStorage.removeItem('theme');
        else localStorage.setItem('theme', value);
      } catch {
        // Not kept: the page stays as the system has it.
      }
      apply();
    });
  });
})();
