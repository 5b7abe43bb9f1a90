'use client';

import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { RecordId } from 'rostack-core';
import { recordIdText } from 'rostack-core/client';
import type { RostackClient } from '../client/client.ts';
import type { FollowChange } from '../follow/follow-change.ts';
import { UsageError } from '../http/error/errors.ts';
import { type FollowCache, followCache } from './follow-cache.ts';
import type { FollowQuery } from './follow-query.ts';
import type { FollowState, KnownFollowState } from './follow-state.ts';
import type { InitialRecords } from './initial-records.ts';
import { ownClient } from './own-client.ts';
import type { ProvidedClient } from './provided-client.ts';

interface Provided {
  readonly client: RostackClient | undefined;
  readonly follows: FollowCache;
}

const RostackContext = createContext<Provided | undefined>(undefined);
const NOTHING: readonly InitialRecords[] = [];
const none = (): undefined => {};
const neverChanges = (): (() => void) => () => {};

/** The properties of a `RostackProvider`. */
export interface RostackProviderProps {
  /** Undefined on a server, and in a browser until it is connected. The provider does not close it. @default none */
  readonly client?: ProvidedClient | undefined;
  /**
   * Connects, instead of `client`: called once the provider is mounted, again while it fails with a temporary error, and not when it
   * changes. Meanwhile components show what their `store` holds. The provider closes the client when it is unmounted. Give the same
   * function in each rendering if the provider itself is within `Suspense`.
   * @default not called
   */
  readonly connect?: () => Promise<ProvidedClient>;
  /** What `readInitial` returned on the server: shown until the client has read it. @default none */
  readonly initial?: readonly InitialRecords[];
  /** The components. */
  readonly children?: ReactNode;
}

/** Gives the components inside it a client. */
export function RostackProvider({
  client: given,
  connect,
  initial = NOTHING,
  children,
}: RostackProviderProps): ReactNode {
  // `connect` only returns this class, with any types.
  const [own] = useState(() =>
    // On a server nothing is connected, and requests must not share anything.
    connect && 'window' in globalThis ? ownClient(connect as () => Promise<RostackClient>) : undefined,
  );
  const connected = useSyncExternalStore(own?.subscribe ?? neverChanges, own?.current ?? none, none);
  const client = (given as RostackClient | undefined) ?? connected;
  const source = given === undefined ? own : client;
  const follows = useMemo(() => followCache(source, initial), [source, initial]);
  const provided = useMemo(() => ({ client, follows }), [client, follows]);
  useEffect(() => {
    own?.begin();
    return () => own?.end();
  }, [own]);
  // React 18 does not render suspended components again when the client changes.
  useEffect(() => () => follows.wake(), [follows]);
  return createElement(RostackContext.Provider, { value: provided }, children);
}

/** The client of the surrounding provider; undefined until it is connected. @throws UsageError `invalid_options` outside of one */
export function useRostack(): RostackClient | undefined {
  return useProvided().client;
}

/**
 * The records of a resource that match a filter, or the first of them in an order, up to date. Components that ask for the same share
 * one follow; it ends a second after the last of them is unmounted. On a server nothing is subscribed.
 * @throws UsageError `invalid_options` outside of a provider
 */
export function useFollow<T>(resource: string, query: FollowQuery<T> = {}): FollowState<T> {
  const follow = useProvided().follows.get(resource, query);
  return useSyncExternalStore(follow.subscribe, follow.state, follow.initial);
}

/**
 * Like `useFollow`, for a component within `Suspense`: it suspends until there is something to show, and if the follow ends before that,
 * it throws the error, for an error boundary. A server shows what `readInitial` has read; without that it shows the fallback, and the
 * browser continues from there.
 * @throws UsageError `invalid_options` outside of a provider, and on a server without records of `initial`
 */
export function useSuspenseFollow<T>(resource: string, query: FollowQuery<T> = {}): KnownFollowState<T> {
  const follow = useProvided().follows.get(resource, query);
  const state = useSyncExternalStore(follow.subscribe, follow.state, () => {
    const initial = follow.initial();
    if (isKnown(initial)) return initial;
    throw new UsageError(
      `${resource} cannot be waited for while a server renders: pass the provider what readInitial reads as \`initial\``,
    );
  });
  if (state.status === 'failed' && !follow.isKnown) throw state.error;
  if (isKnown(state)) return state;
  // oxlint-disable-next-line typescript/only-throw-error -- how a component of React 18 and 19 suspends
  throw follow.untilKnown();
}

/**
 * Calls `onChange` for each change of the follow that `useFollow` with the same arguments has, while the component is mounted: for
 * something that is done once, such as a notification. Errors that it throws are shown as warnings of the platform and end nothing.
 * @throws UsageError `invalid_options` outside of a provider
 */
export function useChanges<T>(
  resource: string,
  onChange: (change: FollowChange<T>) => void,
  query: FollowQuery<T> = {},
): void {
  const follow = useProvided().follows.get(resource, query);
  const newest = useRef(onChange);
  useEffect(() => {
    newest.current = onChange;
  });
  useEffect(() => follow.watch((change) => newest.current(change)), [follow]);
}

/**
 * One record of the follow that `useFollow` with the same arguments has. The component is rendered when that record changes.
 * @returns undefined if the follow does not hold it, or not yet
 * @throws UsageError `invalid_options` outside of a provider
 */
export function useRecord<T>(resource: string, id: RecordId, query: FollowQuery<T> = {}): T | undefined {
  const follow = useProvided().follows.get(resource, query);
  const text = recordIdText(id) ?? '';
  return useSyncExternalStore(
    follow.subscribe,
    () => follow.state().byId.get(text),
    () => follow.initial().byId.get(text),
  );
}

const isKnown = <T>(state: FollowState<T>): state is KnownFollowState<T> => state.status !== 'pending';

function useProvided(): Provided {
  const provided = useContext(RostackContext);
  if (provided === undefined) throw new UsageError('there is no RostackProvider around this component');
  return provided;
}
