/** The page's script: copy buttons for the examples, and the live part. */
import { render } from 'preact';
import { EXPLORER_ROOT_ID } from '../explorer-data.ts';
import { App } from './app.tsx';
import { addCopyButtons } from './copy-buttons.ts';
import { readData } from './read-data.ts';

addCopyButtons();
const root = document.getElementById(EXPLORER_ROOT_ID);
if (root !== null) {
  root.replaceChildren();
  render(<App data={readData()} />, root);
}
