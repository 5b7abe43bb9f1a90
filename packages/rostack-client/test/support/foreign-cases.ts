import type { ForeignServer } from 'test-support/foreign/foreign-server';
import { type JsonRecord, textOf } from 'test-support/foreign/foreign-style';
import { goStyle } from 'test-support/foreign/go-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';

/** A resource of a server that somebody else has written. */
export interface ForeignCase {
  readonly title: string;
  readonly style: typeof goStyle;
  readonly resource: string;
  readonly idMember: string;
  /** Of a record that is there, and of the one that replaces it. */
  readonly changed: JsonRecord;
  readonly added: JsonRecord;
}

const message = { kind: 'in', recordedAt: '2026-08-14T10:00:00+09:00' };

export const FOREIGN_CASES: readonly ForeignCase[] = [
  {
    title: 'values of any type',
    style: goStyle,
    resource: 'health-steps',
    idMember: 'deviceId',
    changed: { ...message, deviceId: 'ring/3', value: ['a', null, 3] },
    added: { ...message, deviceId: 'watch 4', value: null },
  },
  {
    title: 'messages of several pages',
    style: goStyle,
    resource: 'sms-messages',
    idMember: 'deviceId',
    changed: { ...message, deviceId: 'sms 7', value: null },
    added: { ...message, deviceId: 'sms-new', value: { body_text: 'new' } },
  },
  {
    title: 'nothing at first',
    style: goStyle,
    resource: 'call-log',
    idMember: 'deviceId',
    changed: { ...message, deviceId: 'call-1', value: 1 },
    added: { ...message, deviceId: 'call-2', value: [] },
  },
  {
    title: 'integer ids and events without data',
    style: ledgerStyle,
    resource: 'books',
    idMember: 'id',
    changed: { id: 7, title: 'Lent', tags: ['new'], lent_to: null },
    added: { id: 99, title: 'New', tags: [] },
  },
  {
    title: 'an integer id of another name',
    style: ledgerStyle,
    resource: 'entries',
    idMember: 'number',
    changed: { number: 1_007, page: 1, amount: null },
    added: { number: 2_000, page: 9, amount: 0.5 },
  },
];

/** What a follower of the records of a server has to hold. */
export function heldBy(server: ForeignServer, { resource, idMember }: ForeignCase): Record<string, unknown> {
  return Object.fromEntries(server.records(resource).map((record) => [textOf(record[idMember]), record]));
}

export function change(server: ForeignServer, { resource, changed, added, idMember }: ForeignCase): void {
  server.put(resource, changed);
  server.put(resource, added);
  server.put(resource, { ...added, ...changed, [idMember]: added[idMember] ?? null });
  server.delete(resource, textOf(changed[idMember]));
}
