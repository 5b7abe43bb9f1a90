import { ignoreRejection } from 'rostack-core';
import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, sql } from '../drivers/dialect/sql.ts';
import { StoreOptionsError } from '../errors/index.ts';

/** Replaces a note while its row is locked, so that if two processes do this, the later one sees what the earlier one wrote. */
export function* updateNote(
  dialect: Dialect,
  name: string,
  update: (present: string | undefined) => string,
): Work<void> {
  const table = dialect.table('note');
  // A missing row cannot be locked, so one is made; its empty body means that there is no note.
  yield* run(
    once(dialect, sql`insert into ${table} (name, body) values (${name}, '') on conflict do nothing`),
  );
  const [row] = yield* run<{ body: string }>(
    once(dialect, sql`select body from ${table} where name = ${name} ${dialect.forUpdate}`),
  );
  const body: unknown = update(row === undefined || row.body === '' ? undefined : row.body);
  if (typeof body !== 'string') {
    ignoreRejection(body, () => {});
    throw new StoreOptionsError(
      `update of the note ${name} returned no string: return one, and not a promise`,
    );
  }
  yield* run(once(dialect, sql`update ${table} set body = ${body} where name = ${name}`));
}
