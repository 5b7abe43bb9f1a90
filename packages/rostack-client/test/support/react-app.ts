import { createElement as element, type ReactNode } from 'react';
import type { RostackClient } from 'rostack-client';
import { type InitialRecords, RostackProvider, useFollow, useRecord, useRostack } from 'rostack-client/react';
import type { Station } from './observatory.ts';

export const HIGHEST = { sort: ['-/altitude'], limit: 3 };

interface AppProps {
  readonly client: RostackClient | undefined;
  readonly initial: readonly InitialRecords[] | undefined;
  readonly isShown: boolean;
  readonly onRender: (name: string) => void;
}

/** Two tables of the same records, a line for one of them, and how far the follow is. */
export function App({ client, initial, isShown, onRender }: AppProps): ReactNode {
  const given = initial === undefined ? {} : { initial };
  return element(
    RostackProvider,
    { client, ...given },
    isShown && element(Table, { id: 'first' }),
    isShown && element(Table, { id: 'second' }),
    isShown && element(Line, { onRender }),
    isShown && element(Status),
    element(Connection),
  );
}

export function Table({ id }: { readonly id: string }): ReactNode {
  // Another object in each rendering, as people write it.
  const { records } = useFollow<Station>('stations', { ...HIGHEST, sort: [...HIGHEST.sort] });
  return element('p', { id }, records.map(({ id, altitude }) => `${id}: ${altitude}`).join(', '));
}

function Line({ onRender }: { readonly onRender: (name: string) => void }): ReactNode {
  onRender('Line');
  const station = useRecord<Station>('stations', 'station-0001', HIGHEST);
  return element('p', { id: 'line' }, `the first: ${station?.altitude ?? 'not among them'}`);
}

function Connection(): ReactNode {
  return element('p', null, useRostack() === undefined ? 'not connected' : 'connected');
}

function Status(): ReactNode {
  const { status, error } = useFollow<Station>('stations', HIGHEST);
  const { code } = (error ?? {}) as { readonly code?: string };
  return element('p', { id: 'status' }, [status, code].join(' ').trim());
}
