import type { JsonObject } from 'rostack-core';

/**
 * What the records of a state are records of. A state of another filter or API version is replaced by a new snapshot; one of another
 * resource or implementation ends the follow with a UsageError, and stays.
 */
export interface StateScope {
  /** `implementation.id` of the discovery document. */
  readonly implementationId: string;
  /** `implementation.api_version` of the discovery document. */
  readonly apiVersion: string;
  /** Name of the resource. */
  readonly resource: string;
  /** Hash of the filter, equal for filters of the same meaning and form; undefined without a filter. */
  readonly filter: string | undefined;
}

/** One record as the server gave it. */
export interface StoredRecord {
  /** Text of the record's id. */
  readonly id: string;
  /** As JSON; no schema has changed it. */
  readonly record: JsonObject;
  /** `resource_version` of the newest event; undefined if the record comes from a snapshot. */
  readonly version: string | undefined;
}

/** Everything that a follow continues from. */
export interface FollowState {
  /** What the records are records of. */
  readonly scope: StateScope;
  /** The event position of `records`. */
  readonly cursor: string;
  /** Id of the newest event in it; undefined after a snapshot or a bookmark. */
  readonly eventId: string | undefined;
  /** In any order, each id once. A store may get a lazy iterable, and reads it once. */
  readonly records: Iterable<StoredRecord>;
}

/** What one event changes. A bookmark only moves the cursor. */
export interface StateUpdate {
  /** The event position after the update. */
  readonly cursor: string;
  /** Undefined for a bookmark. */
  readonly eventId: string | undefined;
  /** A record to store, replacing the one with the same id. */
  readonly put?: StoredRecord | undefined;
  /** Id of the record to remove. */
  readonly remove?: string | undefined;
}

/**
 * Keeps the states of follows, each under a key. Each call is one step: after a crash at any moment the state is the one before the
 * call or the one after it, never a mixture. A key is used by one follow at a time; a call that throws or rejects ends the follow with
 * a StateStoreError, except for an error of the code `state_gone`, after which the follow takes a new snapshot: what was stored is lost.
 * `rostack-client/testing` has checks for it.
 */
export interface StateStore {
  /** The state under the key, or undefined if there is none. */
  load(key: string): Promise<FollowState | undefined>;
  /** Replaces everything under the key. */
  replace(key: string, state: FollowState): Promise<void>;
  /** Changes one record at most and moves the cursor; the key has a state. */
  update(key: string, update: StateUpdate): Promise<void>;
  /** Forgets the key. */
  remove(key: string): Promise<void>;
  /**
   * Takes the key for one follow, so that no other process and no other store on the same storage uses it. If a process is killed, its
   * keys have to become free by themselves. Without this method, only follows that share one store object are kept apart.
   * @returns a function that releases the key; undefined when another follow has it
   */
  claim?(key: string): Promise<(() => void | Promise<void>) | undefined>;
}
