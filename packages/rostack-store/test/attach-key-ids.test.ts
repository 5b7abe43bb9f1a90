import * as fc from 'fast-check';
import { Client } from 'pg';
import { describePostgres, POSTGRES_URL } from 'test-support/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { idExpression, keyFields, keyTexts } from '../src/attach/row/table-key.ts';

/** A table whose key has so many columns of text. */
function keyedBy(count: number) {
  const text = { type: 'text', typeName: 'text' };
  return {
    key: Array.from({ length: count }, (_, index) => ({ ...text, number: index + 1, column: `k${index}` })),
  };
}

/** As the guide tells consumers to. */
function decoded(id: string): string[] {
  return id.split(',').map((text) => text.replaceAll('~1', ',').replaceAll('~0', '~'));
}

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('~', ',', '0', '1', 'a', '.', '/', '한', '"', '\\', ' '), maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\u0000')),
);

describePostgres('ids of several columns', () => {
  test('tell every key from every other, and can be taken apart', async () => {
    const client = new Client({ connectionString: POSTGRES_URL });
    await client.connect();
    onTestFinished(() => client.end());
    const keys = fc
      .integer({ min: 2, max: 4 })
      .chain((count) =>
        fc.array(fc.array(texts, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 60 }),
      );
    await fc.assert(
      fc.asyncProperty(keys, async (rows) => {
        const count = rows[0]?.length ?? 0;
        const table = keyedBy(count);
        const columns = Array.from({ length: count }, (_, index) => rows.map((row) => row[index]));
        const id = idExpression(table, keyFields(table, 'k'));
        const parameters = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
        const found = await client.query<{ id: string }>(
          `select ${id} as id from unnest(${parameters}) with ordinality k (${columns.map((_, index) => `k${index}`).join(', ')}) order by ordinality`,
          columns,
        );
        const ids = found.rows.map((row) => row.id);
        expect(ids.map(decoded)).toEqual(rows);
        expect(ids.map((text) => keyTexts(count, text))).toEqual(rows);
        expect(new Set(ids).size).toBe(new Set(rows.map((row) => JSON.stringify(row))).size);
      }),
      { numRuns: 100 },
    );
  });

  test.each(['', 'a', 'a,b,c', 'a~,b', 'a~2,b', 'a,b~'])('%j is none of two columns', (id) => {
    expect(keyTexts(2, id)).toBeUndefined();
  });
});
