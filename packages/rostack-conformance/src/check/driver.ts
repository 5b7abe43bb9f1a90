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
  /** Milliseconds until it expires. @default it does not expire */
  readonly expiresInMs?: number | undefined;
  /** Names of permissions. @default those of the main token */
  readonly permissions?: readonly string[] | undefined;
}

/** Changes the target from outside the protocol. Each method resolves when it is done, or rejects with `driver_failed`. */
export interface Driver extends AsyncDisposable {
  /** What it can do. */
  readonly operations: ReadonlySet<DriverOperation>;
  /** Records that may be written, with any id of the same type, by resource; without them records of the target are used. */
  readonly samples: Readonly<Record<string, readonly JsonObject[]>>;
  /** Writes a record, replacing the one with the same id. */
  put(resource: string, record: JsonObject): Promise<void>;
  /** Deletes a record. */
  delete(resource: string, id: string): Promise<void>;
  /** Writes all of them in this order, as quickly as it can. */
  burst(resource: string, changes: readonly DriverChange[]): Promise<void>;
  /** Makes a credential for the principal of the main token. */
  issue(request: IssueRequest): Promise<string>;
  /** Revokes a credential that `issue` has made. */
  revoke(token: string): Promise<void>;
  /** Tells the target to drain; resolves at once, not when it has ended. `restart` brings it back. */
  drain(): Promise<void>;
  /** Stops the target without a drain (or waits until the current one ends) and starts it again; resolves when it serves. */
  restart(): Promise<void>;
  /** Drops the history so far: earlier cursors must become invalid, at most a few seconds later. */
  prune(): Promise<void>;
  /** Makes a copy of the target's records and history. */
  save(): Promise<void>;
  /** Puts the latest copy back; resolves when the target serves. */
  restore(): Promise<void>;
}
