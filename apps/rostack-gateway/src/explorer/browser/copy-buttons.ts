const SHOWN_MS = 1_500;

/** Gives every example a button that copies its code. */
export function addCopyButtons(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const caption = figure.querySelector('figcaption');
    const code = figure.querySelector('code');
    if (caption === null || code === null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy: ${caption.textContent}`);
    button.addEventListener('click', () => {
      const say = (text: string) => {
        button.textContent = text;
        setTimeout(() => {
          button.textContent = 'Copy';
        }, SHOWN_MS);
      };
      navigator.clipboard.writeText(code.textContent).then(
        () => say('Copied'),
        () => say('Not copied'),
      );
    });
    figure.append(button);
  }
}
