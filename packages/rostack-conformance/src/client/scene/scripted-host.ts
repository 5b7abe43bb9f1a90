import type { AnyDiscoveryDocument, JsonObject, Release } from 'rostack-core';
import type { ScriptedLog } from './scripted-log.ts';

/** What the parts of a scripted server know of it. */
export interface ScriptedHost {
  readonly log: ScriptedLog;
  readonly token: string;
  readonly release: Release;
  /** What it says of itself, which may change. */
  readonly document: AnyDiscoveryDocument;
  readonly eventsCarryRecords: boolean;
  /** Events that a replay repeats, from before the cursor. */
  readonly replaysAgain: number;
  /** Path of the collection; the items are below it. */
  readonly collectionPath: string;
  /** What cursors are of: a state that was kept under another scope is not to be gone on from. */
  scopeOf(filter: JsonObject | undefined): string;
  /** Something has happened. */
  note(line: string): void;
}
