const SHOWN_MS = 1_500;

/** Copies a text, and says on the button whether that was possible. */
export function copy(button: HTMLButtonElement, text: string): void {
  const label = button.textContent;
  const say = (word: string) => {
    button.textContent = word;
    button.disabled = true;
    setTimeout(() => {
      button.textContent = label;
      button.disabled = false;
    }, SHOWN_MS);
  };
  navigator.clipboard.writeText(text).then(
    () => say('Copied'),
    () => say('Not copied'),
  );
}

/** Gives every example of the page a button that copies its code. */
export function addCopyButtons(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const caption = figure.querySelector('figcaption');
    const code = figure.querySelector('code');
    if (caption === null || code === null || figure.querySelector('button') !== null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy: ${caption.textContent}`);
    button.addEventListener('click', () => copy(button, code.textContent));
    figure.append(button);
  }
}
