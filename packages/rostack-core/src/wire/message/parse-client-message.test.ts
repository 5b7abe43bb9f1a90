import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../zod/models.ts';
import { ClientMessageError, parseClientMessage } from './parse-client-message.ts';

const MESSAGES = [
  { type: 'ping', id: '1' },
  { type: 'pong', id: '1' },
  { type: 'authenticate', method: 'shared_token', token: 't' },
  { type: 'unsubscribe', subscription_id: 's' },
  { type: 'subscribe', subscription_id: 's', resource: 'stations' },
  {
    type: 'subscribe',
    subscription_id: 's',
    resource: 'stations',
    cursor: 'c',
    event_encoding: 'compact-json',
    event_types: ['a', 'b'],
    filter: {
      '/a': { in: [1, 'x', null] },
      $or: [{ '/b': { exists: true } }, { $not: { '/c': { eq: 1 } } }],
    },
  },
];

const NAMES = [
  'type',
  'id',
  'method',
  'token',
  'subscription_id',
  'resource',
  'cursor',
  'event_encoding',
  'event_types',
  'filter',
  'x',
  '__proto__',
];
const VALUES = [
  '',
  'ping',
  'subscribe',
  'json',
  'oauth2',
  0,
  null,
  true,
  [],
  ['a'],
  ['a', 'a'],
  [''],
  {},
  { '/a': { eq: 1 } },
  { a: 1 },
];

/** A message with members dropped, added or changed. */
const mutant = fc
  .tuple(
    fc.constantFrom(...MESSAGES),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.option(fc.constantFrom<unknown>(...VALUES))), {
      maxLength: 3,
    }),
  )
  .map(([message, edits]) => {
    const members = new Map(Object.entries(message) as [string, unknown][]);
    for (const [name, value] of edits) {
      if (value === null) members.delete(name);
      else members.set(name, value);
    }
    return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  });

function isAccepted(text: string): boolean {
  try {
    parseClientMessage(text);
    return true;
  } catch (error) {
    if (error instanceof ClientMessageError) return false;
    throw error;
  }
}

describe('parseClientMessage', () => {
  test.for(MESSAGES)('takes %j', (message) => {
    expect(parseClientMessage(JSON.stringify(message))).toEqual(message);
  });

  test('accepts and refuses what the model does', () => {
    fc.assert(
      fc.property(mutant, (text) => {
        const accepted = isAccepted(text);
        const value = JSON.parse(text) as { readonly event_encoding?: unknown } | null;
        // Any text will do for an encoding: the subscription refuses what it does not know.
        const message =
          typeof value?.event_encoding === 'string' ? { ...value, event_encoding: 'json' } : value;
        expect(accepted).toBe(MODELS['2026-08-13'].clientMessage.safeParse(message).success);
      }),
      { numRuns: 3_000 },
    );
  });

  test('leaves an encoding of another name to the subscription', () => {
    const message = { ...MESSAGES.at(-1), event_encoding: 'cbor' };
    expect(parseClientMessage(JSON.stringify(message))).toEqual(message);
  });

  test('throws its documented error, and no other, for any text and any JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => parseClientMessage(text)).toThrow(expect.objectContaining({ code: 'invalid_message' }));
      }),
    );
  });

  test('refuses a filter of 64 KiB nested negations without following it down', () => {
    const depth = 7_000;
    const filter = `${'{"$not":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const text = `{"type":"subscribe","subscription_id":"s","resource":"r","filter":${filter}}`;
    expect(() => parseClientMessage(text)).toThrow(expect.objectContaining({ code: 'invalid_message' }));
  });
});
