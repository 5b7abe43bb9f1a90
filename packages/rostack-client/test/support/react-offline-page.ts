/// <reference lib="dom" />
import { createElement as element, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { connect } from 'rostack-client';
import { IndexedDbStateStore } from 'rostack-client/browser';
import { RostackProvider, useFollow } from 'rostack-client/react';

const store = new IndexedDbStateStore('react');
const shown: string[] = [];

function Stations({ sort }: { readonly sort: readonly string[] | undefined }): ReactNode {
  const query = { store, ...(sort === undefined ? {} : { sort }) };
  const { records, status, error } = useFollow<{ readonly id: string }>('stations', query);
  const name = error instanceof Error ? [error.name] : [];
  const text = [status, ...records.map(({ id }) => id), ...name].join(' ');
  if (shown.at(-1) !== text) shown.push(text);
  return element('p', null, text);
}

const page = {
  /** Everything that was shown, in order. */
  shown: () => shown,
  /** Renders stations that are kept in the database, with a provider that connects. */
  start(url: string, token: string, sort?: readonly string[]): void {
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    const given = { connect: () => connect(url, { method: 'shared_token', token }) } as const;
    root.render(element(StrictMode, null, element(RostackProvider, given, element(Stations, { sort }))));
  },
};

export type ReactOfflinePage = typeof page;

Object.assign(globalThis, { page });
