import fc from 'fast-check';
import type { JsonObject } from 'rostack-core';
import { expect, test } from 'vitest';
import { snapshotDifference } from './followed-set.ts';

const set = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 0, max: 2 })), {
    selector: ([id]) => id,
  })
  .map(
    (entries) => new Map<string, JsonObject>(entries.map(([id, value]) => [id, { id, value: { n: value } }])),
  );

test('what is added, changed and removed makes the old set into the new one, and nothing is said of the rest', () => {
  fc.assert(
    fc.property(set, set, (before, after) => {
      const { added, changed, removed } = snapshotDifference(before, after);
      const made = new Map(before);
      for (const id of removed) expect(made.delete(id)).toBe(true);
      for (const id of added) expect(made.has(id)).toBe(false);
      for (const id of changed) expect(made.get(id)).not.toEqual(after.get(id));
      for (const id of [...added, ...changed]) made.set(id, after.get(id) as JsonObject);
      expect(made).toEqual(after);
    }),
  );
});

test('the order of members makes no change', () => {
  const record = (record: JsonObject) => new Map([['a', record]]);
  expect(snapshotDifference(record({ id: 'a', n: 1 }), record({ n: 1, id: 'a' })).changed).toEqual([]);
});
