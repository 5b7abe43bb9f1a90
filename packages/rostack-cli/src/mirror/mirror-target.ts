import type { FollowState, StoredRecord } from 'rostack-client';

/** What several consecutive events change together. */
export interface MirrorBatch {
  /** Of the last one. */
  readonly cursor: string;
  /** Of the last one; undefined for a bookmark. */
  readonly eventId: string | undefined;
  /** By id: the record after the events, or undefined if it is gone. */
  readonly records: ReadonlyMap<string, StoredRecord | undefined>;
}

/** A table that holds records, and next to it the cursor of those records. Each call is one transaction. */
export interface MirrorTarget extends AsyncDisposable {
  /** Keeps other mirrors away from the table until this one ends. @returns false when another one has it */
  claim(): Promise<boolean>;
  load(): Promise<FollowState | undefined>;
  replace(state: FollowState): Promise<void>;
  apply(batch: MirrorBatch): Promise<void>;
  /** What was put under a name while a snapshot is incomplete; undefined if there is nothing. */
  part(name: string): Promise<string | undefined>;
  /** @param text undefined: forgets it */
  putPart(name: string, text: string | undefined): Promise<void>;
}

/** A table cannot be filled; the message is for people. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code = 'mirror_failed';
  readonly retryable = false;
}

/** The table is not a mirror: filling it would delete what is in it. */
export const notAMirror = (table: string): MirrorError =>
  new MirrorError(
    `the table ${table} already exists and is not a mirror of this command: name another one with --table, or drop it`,
  );

/** Two mirrors of one table would undo each other's writes. */
export const inUseElsewhere = (table: string): MirrorError =>
  new MirrorError(
    `another mirror fills the table ${table} now: end that one first, or name another table with --table`,
  );
