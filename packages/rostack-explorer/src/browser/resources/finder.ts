import { RESOURCE_LIST_ID } from '../../description/explorer-data.ts';

/** With so many resources they are all in view. */
const MOST_IN_VIEW = 8;

/** Puts a box that finds a resource by a part of its name above a long list; Enter opens the first one found. */
export function addFinder(): void {
  const list = document.getElementById(RESOURCE_LIST_ID);
  const items = [...(list?.querySelectorAll('li') ?? [])];
  if (list === null || items.length <= MOST_IN_VIEW) return;
  const box = document.createElement('input');
  box.type = 'search';
  box.placeholder = `Find one of ${items.length} resources`;
  box.setAttribute('aria-label', 'Find a resource');
  box.addEventListener('input', () => {
    const wanted = box.value.trim().toLowerCase();
    for (const item of items) item.hidden = !item.textContent.includes(wanted);
  });
  box.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') list.querySelector<HTMLElement>('li:not([hidden]) a')?.click();
  });
  list.prepend(box);
}
