/** The page's script: the live part, copy buttons, and the way from one resource to another. */

import { render } from 'preact';
import { EXPLORER_ROOT_ID, RESOURCE_LIST_ID, resourcePage } from '../description/explorer-data.ts';
import { App } from './app.tsx';
import { addCopyButtons } from './resources/copy-buttons.ts';
import { addFinder } from './resources/finder.ts';
import { readData, showResourcePage } from './resources/resource-page.ts';
import { takeStartLink } from './session/start-link.ts';

const start = takeStartLink(location, history);
let data = readData(document);
const opened = data.resource.name;

addCopyButtons();
addFinder();
const root = document.getElementById(EXPLORER_ROOT_ID);
if (root !== null) {
  if (start.resource !== undefined && data.names.includes(start.resource) && start.resource !== opened) {
    history.replaceState(null, '', resourcePage(start.resource));
    data = await showResourcePage(start.resource);
    addCopyButtons();
  }
  root.replaceChildren();
  draw(root);
  document.getElementById(RESOURCE_LIST_ID)?.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.search !== location.search) history.pushState(null, '', link.search);
    void show(root);
  });
  addEventListener('popstate', () => void show(root));
  // Another link, opened in this tab, changes the fragment only: the page begins again with it.
  addEventListener('hashchange', () => {
    if (new URLSearchParams(location.hash.slice(1)).has('token')) location.reload();
  });
}

function draw(root: HTMLElement): void {
  render(<App data={data} start={start} />, root);
}

/** Shows the resource that the address names. */
async function show(root: HTMLElement): Promise<void> {
  const name = new URLSearchParams(location.search).get('resource') ?? opened;
  if (name === data.resource.name) return;
  try {
    const next = await showResourcePage(name);
    if (name !== (new URLSearchParams(location.search).get('resource') ?? opened)) return;
    data = next;
  } catch {
    location.reload();
    return;
  }
  addCopyButtons();
  draw(root);
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}
