import { Buffer } from 'node:buffer';
import { type JsonValue, jsonEquals, type Position, parseTrustedJson } from 'rostack-core';
import { VersionConflictError } from '../../errors/index.ts';
import { versionOf } from '../../log/read-head.ts';
import type { ChangeResult } from './change.ts';
import { eventFor, type PreparedChange, type PreparedRecord } from './prepare-change.ts';

/** A record's current version, as found in the database or as left by an earlier change of this transaction. */
export interface Standing {
  readonly version: string;
  readonly position: Position;
  /** Bytes of the body; undefined for a version that this transaction will write. */
  readonly bytes: number | undefined;
  /** Undefined for a version found in the database with more bytes than any that is to replace it. */
  readonly body: string | undefined;
  /** What this transaction will write; undefined for the version found in the database. */
  readonly written: PreparedRecord | undefined;
}

/** A version that is ended by a change. */
export interface Closing {
  readonly id: string;
  readonly toPosition: Position;
  readonly standing: Standing;
}

/** One row of the log. */
export interface LogEntry {
  readonly position: Position;
  readonly id: string;
  readonly eventType: string | null;
  readonly transition: 'create' | 'update' | 'delete';
  readonly version: string;
  readonly closedBytes: number;
  /** In ms since 1970; undefined for the time of writing. */
  readonly occurredAtMs: number | undefined;
  /** The record before and after the change; undefined where the text before was not read. */
  readonly states: { readonly before: string | undefined; readonly after: string | undefined } | undefined;
}

/** What all versions that a transaction writes share. */
export interface History {
  readonly epoch: string;
  readonly tag: string;
}

/** The changes of one transaction to one resource. */
export class ResourcePlan {
  readonly #history: History;
  /** Current version by id, undefined if there is no record. Holds every id of the transaction. */
  readonly #standing: Map<string, Standing | undefined>;
  readonly closings: Closing[] = [];
  readonly entries: LogEntry[] = [];
  readonly touched = new Set<string>();
  position: Position;
  closedBytes = 0;

  constructor(history: History, position: Position, standing: Map<string, Standing | undefined>) {
    this.#history = history;
    this.position = position;
    this.#standing = standing;
  }

  standing(id: string): Standing | undefined {
    return this.#standing.get(id);
  }

  /** Takes over what a batch did to the resource. */
  commit(draft: ResourceDraft): void {
    for (const [id, standing] of draft.standing) {
      this.#standing.set(id, standing);
      this.touched.add(id);
    }
    this.closings.push(...draft.closings);
    this.entries.push(...draft.entries);
    for (const { closedBytes } of draft.entries) this.closedBytes += closedBytes;
    this.position = draft.position;
  }

  draft(): ResourceDraft {
    return {
      standing: new Map(),
      closings: [],
      entries: [],
      position: this.position,
      history: this.#history,
    };
  }
}

/** What one batch does to a resource, kept separate until it is known that no change of the batch fails. */
export interface ResourceDraft {
  readonly standing: Map<string, Standing | undefined>;
  readonly closings: Closing[];
  readonly entries: LogEntry[];
  readonly history: History;
  position: Position;
}

/**
 * Works out one batch, change by change, on top of the batches before it in the same transaction. Either all of it enters the plans, or
 * nothing.
 * @throws VersionConflictError if a record is not at the expected version
 * @throws ChangeInvalidError if an event does not fit its transition
 */
export function planBatch(
  changes: readonly PreparedChange[],
  plans: ReadonlyMap<string, ResourcePlan>,
): ChangeResult[] {
  const drafts = new Map<string, ResourceDraft>();
  const results = changes.map((change) => {
    const { name } = change.target.resource;
    const plan = plans.get(name);
    if (plan === undefined) throw new Error(`the transaction has no plan for ${name}`);
    let draft = drafts.get(name);
    if (draft === undefined) {
      draft = plan.draft();
      drafts.set(name, draft);
    }
    const standing = draft.standing.has(change.id) ? draft.standing.get(change.id) : plan.standing(change.id);
    return planChange(change, standing, draft);
  });
  for (const [name, draft] of drafts) plans.get(name)?.commit(draft);
  return results;
}

function planChange(
  change: PreparedChange,
  standing: Standing | undefined,
  draft: ResourceDraft,
): ChangeResult {
  const { id, record, expectedVersion, index, occurredAtMs } = change;
  const resource = change.target.resource.name;
  const present = standing?.version ?? null;
  if (expectedVersion !== undefined && expectedVersion !== present) {
    throw new VersionConflictError(index, resource, id, present);
  }
  if (isUnchanged(record, standing)) {
    return {
      resource,
      id,
      changed: false,
      transition: undefined,
      position: standing?.position,
      version: standing?.version,
    };
  }
  const transition = record === undefined ? 'delete' : standing === undefined ? 'create' : 'update';
  const eventType = eventFor(change, transition);
  draft.position += 1;
  const { position } = draft;
  const version = versionOf(draft.history.epoch, position, draft.history.tag);
  if (standing !== undefined) draft.closings.push({ id, toPosition: position, standing });
  const closedBytes = standing?.bytes ?? Buffer.byteLength(standing?.body ?? '', 'utf8');
  const isRead = standing === undefined || standing.body !== undefined;
  const states = isRead ? { before: standing?.body, after: record?.body } : undefined;
  draft.entries.push({ position, id, eventType, transition, version, closedBytes, occurredAtMs, states });
  const written = record && { version, position, bytes: undefined, body: record.body, written: record };
  draft.standing.set(id, written);
  return { resource, id, changed: true, transition, position, version };
}

function isUnchanged(record: PreparedRecord | undefined, standing: Standing | undefined): boolean {
  if (record === undefined || standing === undefined) return record === standing;
  const { body } = standing;
  if (body === undefined) return false;
  if (record.body === body) return true;
  return isPermuted(record.body, body) && jsonEquals(record.value, parseTrustedJson(body) as JsonValue);
}

/** Whether two texts may consist of the same characters, as those of equal records do, whatever the order of their members. */
function isPermuted(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let at = 0; at < a.length; at += 1) difference += a.charCodeAt(at) - b.charCodeAt(at);
  return difference === 0;
}
