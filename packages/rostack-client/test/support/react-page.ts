/// <reference lib="dom" />
import { createElement as element, type ReactNode, StrictMode, useState, version } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { connect, type RostackClient } from 'rostack-client';
import type { InitialRecords } from 'rostack-client/react';
import { Alone, App } from './react-app.ts';

/** What the test calls in the page. */
export interface ReactPage {
  readonly version: string;
  /** Takes over what the server rendered, or renders into an empty page; then connects. */
  start(url: string, token: string, initial?: readonly InitialRecords[]): Promise<void>;
  show(isShown: boolean): void;
  text(): string;
  /** Texts in which two components that show the same differed. */
  readonly torn: string[];
  /** What React said to the console. */
  readonly complaints: string[];
  /** How often each component was rendered. */
  readonly rendered: Record<string, number>;
  fail(): Promise<void>;
  /** Shows the first record by a field in a root of its own. */
  showAlone(sort: '/name' | '/altitude'): void;
}

const rendered: Record<string, number> = {};
const torn: string[] = [];
const complaints: string[] = [];
let client: RostackClient | undefined;
let setShown: (isShown: boolean) => void = () => {};
let setClient: (client: RostackClient) => void = () => {};

Object.assign(console, { error: (...parts: unknown[]) => complaints.push(parts.join(' ')) });

function Page({ initial }: { readonly initial: readonly InitialRecords[] | undefined }): ReactNode {
  const [isShown, show] = useState(true);
  const [connected, connect] = useState<RostackClient>();
  setShown = show;
  setClient = connect;
  return element(App, { client: connected, initial, isShown, onRender: (name) => count(name) });
}

function count(name: string): void {
  rendered[name] = (rendered[name] ?? 0) + 1;
}

const page: ReactPage = {
  version,
  torn,
  complaints,
  rendered,
  async start(url, token, initial) {
    const root = document.getElementById('root');
    if (root === null) throw new Error('no root');
    const tree = element(StrictMode, null, element(Page, { initial }));
    if (initial === undefined) createRoot(root).render(tree);
    else hydrateRoot(root, tree);
    new MutationObserver(() => {
      const [one, other] = ['first', 'second'].map((id) => document.getElementById(id)?.textContent);
      if (one !== other) torn.push(`${one} and ${other}`);
    }).observe(root, { childList: true, subtree: true, characterData: true });
    client = await connect(url, { method: 'shared_token', token });
    setClient(client);
  },
  show: (isShown) => setShown(isShown),
  text: () => document.body.innerText,
  async fail() {
    await client?.close();
  },
  showAlone(sort) {
    if (client === undefined) throw new Error('not connected');
    const root = document.body.appendChild(document.createElement('div'));
    createRoot(root).render(element(StrictMode, null, element(Alone, { client, sort })));
  },
};
Object.assign(globalThis, { page });
