import { Buffer } from 'node:buffer';
import { sql } from 'kysely';
import type { Position } from 'rostack-core';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import type { StoredField } from '../resource/field.ts';
import { indexedExpression, type ResourceTables } from '../schema/tables.ts';
import { cutAfter, type IndexCut } from './index-cut.ts';

/**
 * The places in an index at which the changes of some positions took entries away, or put them: those of the versions that have
 * ended since, and of the records as they are now. States in between are left out.
 * @param after not below the floor
 * @param field undefined: the index of the ids
 */
export function* touchedPlaces(
  dialect: Dialect,
  { record, past, log }: ResourceTables,
  field: StoredField | undefined,
  after: Position,
  upTo: Position,
): Work<readonly IndexCut[]> {
  const key = field === undefined ? sql`x''` : indexedExpression(dialect, field);
  const rows = yield* run<{ readonly key: Buffer; readonly id: string }>(
    once(
      dialect,
      sql`select ${key} as key, id from ${dialect.table(past)} where to_position > ${after} and to_position <= ${upTo}
        union all select ${key} as key, id from ${dialect.table(record)} where id in (
          select id from ${dialect.table(log)} where position > ${after} and position <= ${upTo})`,
    ),
  );
  return rows.map(({ key, id }) => cutAfter(key, Buffer.from(id)));
}
