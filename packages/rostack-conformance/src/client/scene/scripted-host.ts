import type { AnyDiscoveryDocument, JsonObject, Release } from 'rostack-core';
import type { ScriptedLog } from './scripted-log.ts';

/** What the parts of a scripted server know about it. */
export interface ScriptedHost {
  readonly log: ScriptedLog;
  readonly token: string;
  readonly release: Release;
  /** Its discovery document, which may change. */
  readonly document: AnyDiscoveryDocument;
  readonly eventsCarryRecords: boolean;
  /** Events that a replay repeats, from before the cursor. */
  readonly replaysAgain: number;
  /** Path of the collection; the items are below it. */
  readonly collectionPath: string;
  /** The definition that cursors belong to: a client must not continue from state stored under another scope. */
  scopeOf(filter: JsonObject | undefined): string;
  /** Records a line about something that has happened. */
  note(line: string): void;
}
