import type { JsonObject } from 'rostack-core';

/** What a driver can be asked for. */
export const DRIVER_OPERATIONS = [
  'put',
  'delete',
  'burst',
  'issue',
  'revoke',
  'drain',
  'restart',
  'prune',
  'save',
  'restore',
] as const;

/** Something that a driver can be asked for. */
export type DriverOperation = (typeof DRIVER_OPERATIONS)[number];

/** One write of a burst. */
export type DriverChange =
  | { readonly op: 'put'; readonly record: JsonObject }
  | { readonly op: 'delete'; readonly id: string };

/** A credential to make, for the principal of the main token. */
export interface IssueRequest {
  /** Milliseconds until it counts no more. @default it does not expire */
  readonly expiresInMs?: number | undefined;
  /** Names of permissions. @default those of the main token */
  readonly permissions?: readonly string[] | undefined;
}

/** Changes the target from behind. Each resolves when it is done; where the driver cannot, it rejects with `driver_failed`. */
export interface Driver extends AsyncDisposable {
  /** What it can do. */
  readonly operations: ReadonlySet<DriverOperation>;
  /** Records that may be written, with any id of the same type, by resource; without them those of the target are taken. */
  readonly samples: Readonly<Record<string, readonly JsonObject[]>>;
  /** Writes a record, in the place of the one with its id. */
  put(resource: string, record: JsonObject): Promise<void>;
  /** Deletes a record. */
  delete(resource: string, id: string): Promise<void>;
  /** Writes all of them in this order, as quickly as it can. */
  burst(resource: string, changes: readonly DriverChange[]): Promise<void>;
  /** Makes a credential for the principal of the main token. */
  issue(request: IssueRequest): Promise<string>;
  /** Ends a credential that `issue` has made. */
  revoke(token: string): Promise<void>;
  /** Tells the target to drain; resolves at once, not when it has ended. `restart` brings it back. */
  drain(): Promise<void>;
  /** Ends the target without a drain, or waits for the end of one, and starts it again; resolves when it serves. */
  restart(): Promise<void>;
  /** Drops the history so far: cursors of before are to count no more, at the latest some seconds after. */
  prune(): Promise<void>;
  /** Keeps a copy of the target's records and history. */
  save(): Promise<void>;
  /** Puts the latest copy back; resolves when the target serves. */
  restore(): Promise<void>;
}
