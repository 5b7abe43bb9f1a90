/** What a component sees of a follow; a new object after each change. */
export interface FollowState<T> {
  /** In the order of `sort`, if that is given. */
  readonly records: readonly T[];
  /** The same records by the text of their ids. */
  readonly byId: ReadonlyMap<string, T>;
  /**
   * - `pending`: nothing is known yet.
   * - `restored`: what the state store holds, also while there is no connection.
   * - `stale`: initial records of the page, or a snapshot; what happened since is on its way.
   * - `live`: up to date. A server that is dead is noticed after 4 s and its heartbeat's timeout, while the page is visible.
   * - `reconnecting`: was live, and the connection is lost.
   * - `failed`: the follow has ended with `error`; the records stay as they were.
   */
  readonly status: 'pending' | 'restored' | 'stale' | 'live' | 'reconnecting' | 'failed';
  /** What the follow threw. @see https://github.com/rostack/rostack/blob/main/docs/libraries/client-api.md#errors */
  readonly error: unknown;
}

/** A state with something to show: records, or the knowledge that there are none. */
export type KnownFollowState<T> = FollowState<T> & {
  readonly status: Exclude<FollowState<T>['status'], 'pending'>;
};

const PENDING: FollowState<never> = {
  records: [],
  byId: new Map<string, never>(),
  status: 'pending',
  error: undefined,
};

export const pendingState = <T>(): FollowState<T> => PENDING;

export function followState<T>(
  byId: ReadonlyMap<string, T>,
  status: FollowState<T>['status'],
  error?: unknown,
): FollowState<T> {
  return { records: [...byId.values()], byId, status, error };
}
