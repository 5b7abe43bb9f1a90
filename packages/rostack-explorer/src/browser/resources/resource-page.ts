import {
  EXPLORER_DATA_ID,
  type ExplorerData,
  REFERENCE_ID,
  RESOURCE_LIST_ID,
  RESOURCE_TITLE_ID,
  resourcePage,
} from '../../description/explorer-data.ts';

/** What the server wrote into a page. */
export function readData(page: Document): ExplorerData {
  const text = page.getElementById(EXPLORER_DATA_ID)?.textContent;
  if (text == null) throw new Error('the page lacks its data');
  // oxlint-disable-next-line eslint/no-restricted-properties -- ours, and the page loads no more code for it
  return JSON.parse(text) as ExplorerData;
}

/**
 * Puts another resource's page in the place of what is shown, and returns its data. The document stays, and with it the token,
 * which is in its memory only. @throws Error when the page cannot be read
 */
export async function showResourcePage(name: string): Promise<ExplorerData> {
  const page = await loadPage(resourcePage(name));
  const data = readData(page);
  for (const id of [RESOURCE_TITLE_ID, REFERENCE_ID]) {
    const part = page.getElementById(id);
    if (part !== null) document.getElementById(id)?.replaceWith(document.importNode(part, true));
  }
  document.title = page.title;
  for (const link of document.querySelectorAll(`#${RESOURCE_LIST_ID} a`)) {
    if (link.textContent === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  return data;
}

/** The page's policy lets nobody make markup of text; a document that the browser has read itself may be used. */
function loadPage(address: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.addEventListener('load', () => {
      const page = request.response as Document | null;
      if (request.status === 200 && page !== null) resolve(page);
      else reject(new Error(`the page ${address} was answered with ${request.status}`));
    });
    request.addEventListener('error', () => reject(new Error(`the page ${address} cannot be reached`)));
    request.send();
  });
}
