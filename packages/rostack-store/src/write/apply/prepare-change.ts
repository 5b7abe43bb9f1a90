import type { Buffer } from 'node:buffer';
import {
  expecting,
  formatPointer,
  type JsonObject,
  type JsonValue,
  resolvePointer,
  type Transition,
} from 'rostack-core';
import { ChangeInvalidError, type RecordFault, RecordInvalidError } from '../../errors/index.ts';
import { encodeKeys } from '../../schema/key/encode-keys.ts';
import { MAX_SORT_KEY_BYTES, type StoredField } from '../../schema/resource/field.ts';
import { type JsonRecord, toBody, toJsonRecord } from '../../schema/resource/json-record.ts';
import { toIdText } from '../../schema/resource/record-id.ts';
import type { SchemaFault } from '../../schema/resource/record-validator.ts';
import type { Resource } from '../../schema/resource/resource.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';
import { checkOption } from '../../store/options/check-option.ts';
import type { StoreChange } from './change.ts';

const MAX_FAULTS = 100;
const aList = expecting('an array of changes', Array.isArray);

/** What a put writes. */
export interface PreparedRecord {
  readonly body: string;
  readonly value: JsonValue;
  readonly keys: readonly (Buffer | null)[];
}

/** A change that was checked as far as possible without the database. */
export interface PreparedChange {
  readonly index: number;
  readonly target: StoredResource;
  /** Text of the record's id. */
  readonly id: string;
  /** Undefined for a delete. */
  readonly record: PreparedRecord | undefined;
  readonly event: StoreChange['event'];
  readonly expectedVersion: string | null | undefined;
  /** In ms since 1970; absent or undefined for the time of writing. */
  readonly occurredAtMs?: number | undefined;
}

/**
 * Checks a batch before the database is touched.
 * @throws RecordInvalidError with the faults of all its records
 * @throws ChangeInvalidError for the first change that is malformed
 */
export function prepareChanges(
  changes: readonly StoreChange[],
  resources: ReadonlyMap<string, StoredResource>,
  maxRecordBytes: number,
): PreparedChange[] {
  const faults: RecordFault[] = [];
  const prepared: PreparedChange[] = [];
  checkOption(aList, changes, 'changes');
  for (const [index, change] of changes.entries()) {
    checkShape(change, index);
    const target = resources.get(change.resource);
    if (target === undefined) {
      throw new ChangeInvalidError(
        index,
        `there is no resource ${JSON.stringify(change.resource)} in this store`,
      );
    }
    checkEventName(change, index, target.resource);
    const { event, expectedVersion } = change;
    if (change.op === 'delete') {
      const { id, fault } = toIdText(change.id);
      if (fault !== undefined) throw new ChangeInvalidError(index, `the id ${fault}`);
      prepared.push({ index, target, id, record: undefined, event, expectedVersion });
      continue;
    }
    const found = prepareRecord(change.record, target, maxRecordBytes);
    if ('faults' in found) {
      faults.push(
        ...found.faults.map((fault) => ({ changeIndex: index, resource: change.resource, ...fault })),
      );
      if (faults.length >= MAX_FAULTS) break;
    } else {
      prepared.push({ index, target, ...found, event, expectedVersion });
    }
  }
  if (faults.length > 0) throw new RecordInvalidError(faults.slice(0, MAX_FAULTS));
  return prepared;
}

/** The types demand this already, but a producer may not use TypeScript. */
function checkShape(change: unknown, index: number): void {
  const { op } = typeof change === 'object' && change !== null && 'op' in change ? change : { op: undefined };
  if (op === 'put' || op === 'delete') return;
  throw new ChangeInvalidError(index, 'a change is an object whose op is "put" or "delete"');
}

/** What a put of a record writes, or why that is impossible. */
type Prepared =
  | { readonly id: string; readonly record: PreparedRecord }
  | { readonly faults: readonly SchemaFault[] };

function prepareRecord(record: unknown, target: StoredResource, maxRecordBytes: number): Prepared {
  return checkRecord(toJsonRecord(record, maxRecordBytes), target);
}

/** Checks a record that consists of JSON values only and is no longer modified by anyone. */
export function prepareOwnRecord(
  record: JsonObject,
  target: StoredResource,
  maxRecordBytes: number,
): Prepared {
  return checkRecord(toBody(record, maxRecordBytes), target);
}

function checkRecord(json: JsonRecord | SchemaFault, { resource, tables }: StoredResource): Prepared {
  if ('message' in json) return { faults: [json] };
  const faults = resource.validate(json.value);
  if (faults.length > 0) return { faults };
  const { id, fault } = toIdText(resolvePointer(json.value, resource.idPath));
  if (fault !== undefined) {
    return { faults: [{ pointer: formatPointer(resource.idPath), message: `the id ${fault}` }] };
  }
  const keys = encodeKeys(json.value, tables.fields);
  const tooLong = tables.fields.find((field, at) => isTooLong(field, keys[at * 2]));
  if (tooLong !== undefined) {
    const message = `the field is sortable: it takes at most ${MAX_SORT_KEY_BYTES - 1} bytes`;
    return { faults: [{ pointer: tooLong.pointer, message }] };
  }
  return { id, record: { body: json.body, value: json.value, keys } };
}

function isTooLong(field: StoredField, key: Buffer | null | undefined): boolean {
  return field.index === 'whole' && (key?.length ?? 0) > MAX_SORT_KEY_BYTES;
}

function checkEventName({ event }: StoreChange, index: number, resource: Resource): void {
  const names = typeof event === 'string' ? [event] : Object.values(event ?? {});
  const unknown = names.find((name) => name !== undefined && !resource.events.has(name));
  if (unknown === undefined) return;
  const declared = [...resource.events.keys()].join(', ') || 'none';
  throw new ChangeInvalidError(
    index,
    `${resource.name} declares no event ${JSON.stringify(unknown)}; its events: ${declared}`,
  );
}

/**
 * The event to log for a transition.
 * @throws ChangeInvalidError if the named event is for another transition, or if several fit and none is named
 */
export function eventFor({ event, index, target }: PreparedChange, transition: Transition): string | null {
  const { events, eventsByTransition, name } = target.resource;
  const named = typeof event === 'string' ? event : event?.[transition];
  if (named !== undefined) {
    if (events.get(named) === transition) return named;
    throw new ChangeInvalidError(
      index,
      `the event ${named} is for ${events.get(named)}, but the transition of this change in ${name} is ${transition}`,
    );
  }
  const fitting = eventsByTransition.get(transition) ?? [];
  if (fitting.length > 1) {
    const names = fitting.map((declared) => declared.name).join(', ');
    throw new ChangeInvalidError(
      index,
      `${name} declares several events for ${transition}: name one of ${names}`,
    );
  }
  return fitting[0]?.name ?? null;
}
