import { EXPLORER_DATA_ID, type ExplorerData } from '../explorer-data.ts';

/** What the server wrote into the page. */
export function readData(): ExplorerData {
  const text = document.getElementById(EXPLORER_DATA_ID)?.textContent;
  if (text == null) throw new Error('the page lacks its data');
  return JSON.parse(text) as ExplorerData;
}
