import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseChangeLine } from './change-line.ts';

const parse = (text: string) =>
  parseChangeLine('stations', { line: 1, endOffset: text.length, text, fault: undefined });

test.each([
  ['{"op":"put","record":{"id":"a"}}', { op: 'put', record: { id: 'a' } }],
  ['{"op":"delete","id":1}', { op: 'delete', id: 1 }],
  ['{"op":"delete","id":"a","expected_version":null}', { op: 'delete', id: 'a', expectedVersion: null }],
  [
    '{"op":"put","record":{},"event":"x","expected_version":"v"}',
    { op: 'put', record: {}, event: 'x', expectedVersion: 'v' },
  ],
])('%s is a change', (text, change) => {
  expect(parse(text)).toEqual({ change: { resource: 'stations', ...change } });
});

test.each([
  '{"op":"put"}',
  '{"op":"put","record":[]}',
  '{"op":"put","record":{},"id":"a"}',
  '{"op":"delete"}',
  '{"op":"delete","id":1.5}',
  '{"op":"delete","id":9007199254740992}',
  '{"op":"upsert","id":"a"}',
  '{"op":"delete","id":"a","expected_version":1}',
  '{"record":{}}',
  '[]',
  'null',
  '{',
])('%s is a fault', (text) => {
  expect(parse(text)).toMatchObject({ fault: { code: expect.any(String), message: expect.any(String) } });
});

test('an id of neither kind is named', () => {
  const message = 'id: Expected a string or an integer that a JSON number holds exactly';
  for (const id of ['1.5', 'null']) {
    expect(parse(`{"op":"delete","id":${id}}`)).toEqual({ fault: { code: 'change_malformed', message } });
  }
});

test('any text is a change or a fault, and a record is never altered', () => {
  const members = fc.record(
    {
      op: fc.constantFrom('put', 'delete', 'other'),
      record: fc.json().map((text) => JSON.parse(text) as unknown),
      id: fc.string(),
    },
    { requiredKeys: [] },
  );
  const records = fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.jsonValue());
  let puts = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        members.map((value) => JSON.stringify(value)),
        records.map((record) => JSON.stringify({ op: 'put', record })),
      ),
      (text) => {
        const parsed = parse(text);
        if (!('change' in parsed) || parsed.change.op !== 'put') return;
        puts += 1;
        expect(parsed.change.record).toEqual((JSON.parse(text) as { record: unknown }).record);
      },
    ),
  );
  expect(puts).toBeGreaterThan(5);
});
