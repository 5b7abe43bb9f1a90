import type { JsonValue } from 'rostack-core';
import { parseTrustedJson } from 'rostack-core';
import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, sql } from '../drivers/dialect/sql.ts';
import { StoreOptionsError } from '../errors/index.ts';
import { encodeKeys } from './key/encode-keys.ts';
import { MAX_SORT_KEY_BYTES, type StoredField } from './resource/field.ts';
import { detailColumn, orderColumn, type ResourceTables } from './tables.ts';

const ROWS_PER_READ = 1_000;

/**
 * Fills the key columns of added fields from the stored bodies.
 * @param checked fields whose values have to fit into a new index
 * @throws StoreOptionsError if a stored value is too long for a field that should be sortable
 */
export function* fillKeys(
  dialect: Dialect,
  tables: ResourceTables,
  added: readonly StoredField[],
  checked: readonly StoredField[],
  resourceName: string,
): Work<void> {
  if (added.length === 0 && !checked.some(({ index }) => index === 'whole')) return;
  for (const [table, key] of [
    [tables.record, 'id'],
    [tables.past, 'to_position'],
  ] as const) {
    let after: unknown;
    do {
      after = yield* fillSome(dialect, table, key, after, added, checked, resourceName);
    } while (after !== undefined);
  }
}

/** Fills the next rows of one table; returns the key of the last one, undefined if there were none. */
function* fillSome(
  dialect: Dialect,
  table: string,
  key: 'id' | 'to_position',
  after: unknown,
  added: readonly StoredField[],
  checked: readonly StoredField[],
  resourceName: string,
): Work<unknown> {
  const name = dialect.table(table);
  const beyond = after === undefined ? sql`` : sql`where ${sql.id(key)} > ${after}`;
  const rows = yield* run<{ key: unknown; body: string }>(
    once(
      dialect,
      sql`select ${sql.id(key)} as key, body from ${name} ${beyond} order by ${sql.id(key)} limit ${ROWS_PER_READ}`,
    ),
  );
  for (const row of rows) {
    const record = parseTrustedJson(row.body) as JsonValue;
    const tooLong = checked.find((field) => {
      return field.index === 'whole' && (encodeKeys(record, [field])[0]?.length ?? 0) > MAX_SORT_KEY_BYTES;
    });
    if (tooLong !== undefined) {
      throw new StoreOptionsError(
        `${resourceName}: ${tooLong.pointer} cannot become sortable: a stored record has a string of more than ${MAX_SORT_KEY_BYTES - 1} bytes there`,
      );
    }
    if (added.length === 0) continue;
    const keys = encodeKeys(record, added);
    const columns = added.flatMap((field) => [orderColumn(field), detailColumn(field)]);
    const assignments = columns.map((column, index) => sql`${sql.id(column)} = ${keys[index]}`);
    yield* run(
      once(dialect, sql`update ${name} set ${sql.join(assignments)} where ${sql.id(key)} = ${row.key}`),
    );
  }
  return rows.at(-1)?.key;
}
