import type { JsonObject } from 'rostack-core';
import { StateStoreError } from '../error/index.ts';
import type { FollowState, StateScope, StoredRecord } from './state-store.ts';

/** Takes what a store gave for a state only when it is one. @throws StateStoreError `state_store_failed` */
export function checkFollowState(value: unknown): FollowState {
  const { scope, cursor, eventId, records } = asObject(value);
  if (typeof cursor !== 'string' || cursor === '') throw noState('has no cursor');
  if (eventId !== undefined && typeof eventId !== 'string') throw noState('has an eventId that is no text');
  if (typeof records !== 'object' || records === null || !(Symbol.iterator in records)) {
    throw noState('has no records');
  }
  const checked = Array.from(records as Iterable<unknown>, checkRecord);
  return { scope: checkScope(scope), cursor, eventId, records: checked };
}

function checkScope(value: unknown): StateScope {
  const { implementationId, apiVersion, resource, filter } = asObject(value);
  if (
    typeof implementationId !== 'string' ||
    typeof apiVersion !== 'string' ||
    typeof resource !== 'string' ||
    (filter !== undefined && typeof filter !== 'string')
  ) {
    throw noState('has no scope');
  }
  return { implementationId, apiVersion, resource, filter };
}

function checkRecord(value: unknown): StoredRecord {
  const { id, record, version } = asObject(value);
  if (typeof id !== 'string' || (version !== undefined && typeof version !== 'string')) {
    throw noState('has a record without id or version');
  }
  return { id, version, record: asObject(record) as JsonObject };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  throw noState('has something else where an object belongs');
}

const noState = (fault: string): StateStoreError =>
  new StateStoreError(`what the state store holds is not a state: it ${fault}`);
