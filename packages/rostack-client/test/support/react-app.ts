import { Component, createElement as element, type ReactNode, Suspense } from 'react';
import type { RostackClient } from 'rostack-client';
import { type InitialRecords, RostackProvider, typedHooks, useRostack } from 'rostack-client/react';
import type { defineObservatory } from './observatory.ts';

const { useChanges, useFollow, useRecord, useSuspenseFollow } =
  typedHooks<ReturnType<typeof defineObservatory>>();

export const HIGHEST = { sort: ['-/altitude'], limit: 3 } as const;

interface AppProps {
  readonly client: RostackClient | undefined;
  readonly initial: readonly InitialRecords[] | undefined;
  readonly isShown: boolean;
  readonly onRender: (name: string) => void;
}

/** Two tables of the same records, a line for one of them, how far the follow is, a line that waits for records, and notices. */
export function App({ client, initial, isShown, onRender }: AppProps): ReactNode {
  const given = initial === undefined ? {} : { initial };
  return element(
    RostackProvider,
    { client, ...given },
    isShown && element(Table, { id: 'first' }),
    isShown && element(Table, { id: 'second' }),
    isShown && element(Line, { onRender }),
    isShown && element(Status),
    isShown && WAITING,
    element(Notices, { isShown, onRender }),
    element(Connection),
  );
}

export function Table({ id }: { readonly id: string }): ReactNode {
  // Another object in each rendering, as people write it.
  const { records } = useFollow('stations', { ...HIGHEST, sort: [...HIGHEST.sort] });
  return element('p', { id }, records.map(({ id, altitude }) => `${id}: ${altitude}`).join(', '));
}

function Line({ onRender }: { readonly onRender: (name: string) => void }): ReactNode {
  onRender('Line');
  const station = useRecord('stations', 'station-0001', HIGHEST);
  return element('p', { id: 'line' }, `the first: ${station?.altitude ?? 'not among them'}`);
}

function Connection(): ReactNode {
  return element('p', null, useRostack() === undefined ? 'not connected' : 'connected');
}

function Status(): ReactNode {
  const { status, error } = useFollow('stations', HIGHEST);
  const { code } = (error ?? {}) as { readonly code?: string };
  return element('p', { id: 'status' }, [status, code].join(' ').trim());
}

function Waiting(): ReactNode {
  const { records } = useSuspenseFollow('stations', HIGHEST);
  return element('p', null, `waited for ${records.length}, highest ${records[0]?.altitude}`);
}

/** Counts the events of the memos, and throws what it cannot use, as people's code does. */
function Notices({ isShown, onRender }: Pick<AppProps, 'isShown' | 'onRender'>): ReactNode {
  useChanges('memos', (change) => {
    const what = 'event' in change ? change.event.eventType : change.kind;
    onRender(isShown ? what : `${what} beside nothing`);
    if (change.kind === 'created') throw new Error('a notice cannot be shown');
  });
  return undefined;
}

/** The same element in each rendering: that there is a client now is no reason for React to look at it again. */
const WAITING = element(Suspense, { fallback: element('p', null, 'waiting') }, element(Waiting));

interface AloneProps {
  readonly client: RostackClient;
  readonly sort: '/name' | '/altitude';
}

/** The provider itself is within `Suspense`, and is made again with each attempt to show it. */
export function Alone({ client, sort }: AloneProps): ReactNode {
  const inner = element(RostackProvider, { client }, element(First, { sort }));
  return element(Boundary, null, element(Suspense, { fallback: element('p', null, 'waiting alone') }, inner));
}

function First({ sort }: { readonly sort: '/name' | '/altitude' }): ReactNode {
  const { records } = useSuspenseFollow('stations', { sort: [sort], limit: 1 });
  return element('p', null, `first by ${sort}: ${records[0]?.id ?? 'none'}`);
}

class Boundary extends Component<{ readonly children?: ReactNode }, { readonly code?: string }> {
  override state: { readonly code?: string } = {};

  static getDerivedStateFromError({ code }: { readonly code: string }) {
    return { code };
  }

  override render(): ReactNode {
    const { code } = this.state;
    return code === undefined ? this.props.children : element('p', null, `caught ${code}`);
  }
}
