/** The page's script: copy buttons for the examples, and the live part. */

import { render } from 'preact';
import { EXPLORER_DATA_ID, EXPLORER_ROOT_ID, type ExplorerData } from '../description/explorer-data.ts';
import { App } from './app.tsx';
import { takeStartLink } from './session/start-link.ts';

const SHOWN_MS = 1_500;

addCopyButtons();
const root = document.getElementById(EXPLORER_ROOT_ID);
if (root !== null) {
  root.replaceChildren();
  render(<App data={readData()} start={takeStartLink(location, history)} />, root);
  // Another link, opened in this tab, changes the fragment only: the page begins again with it.
  addEventListener('hashchange', () => {
    if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
  });
}

/** Gives every example a button that copies its code. */
function addCopyButtons(): void {
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

/** What the server wrote into the page. */
function readData(): ExplorerData {
  const text = document.getElementById(EXPLORER_DATA_ID)?.textContent;
  if (text == null) throw new Error('the page lacks its data');
  // oxlint-disable-next-line eslint/no-restricted-properties -- ours, and the page loads no more code for it
  return JSON.parse(text) as ExplorerData;
}
