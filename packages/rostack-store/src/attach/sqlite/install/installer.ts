import type { Work } from '../../../drivers/database.ts';
import { quoteName } from '../../../drivers/dialect/sql.ts';
import { installedNames } from '../../attachment/installation.ts';
import type { Installer } from '../../driver/installer.ts';
import { query } from '../../source/query.ts';
import { inspectSqliteTable } from './inspect-table.ts';
import { FORM, lookAtSqlite, triggerPrefix } from './layout.ts';

/** A write transaction is already the lock. */
export const sqliteInstaller: Installer = {
  form: FORM,
  *lock() {},
  inspect: inspectSqliteTable,
  look: lookAtSqlite,
  *isComplete({ number }, objects) {
    const made = yield* ownTriggers(number);
    const wanted = objects.flatMap(({ create }) => create).filter((sql) => sql.startsWith('CREATE TRIGGER'));
    return (
      (yield* hasInbox(number)) &&
      made
        .map(({ sql }) => sql)
        .toSorted()
        .join() === wanted.toSorted().join()
    );
  },
  *install(objects) {
    for (const statement of objects.flatMap(({ create }) => create)) yield* query(statement);
  },
  *uninstall({ schema, number }) {
    const did: string[] = [];
    for (const { name } of yield* ownTriggers(number)) {
      yield* query(`drop trigger main.${quoteName(name)}`);
      did.push(`dropped the trigger ${quoteName(name)}`);
    }
    if (!(yield* hasInbox(number))) return did;
    const { inbox } = installedNames({ schema, number });
    const [count] = yield* query<{ changes: number }>(`select count(*) as changes from ${inbox}`);
    yield* query(`drop table ${inbox}`);
    return [...did, `dropped the table ${inbox} with ${count?.changes ?? 0} changes that had not been moved`];
  },
};

function ownTriggers(number: number): Work<readonly { readonly name: string; readonly sql: string }[]> {
  const prefix = triggerPrefix(number);
  return query(
    `select name, sql from main.sqlite_schema where type = 'trigger' and substr(name, 1, $2) = $1 order by name`,
    [prefix, prefix.length],
  );
}

function* hasInbox(number: number): Work<boolean> {
  const rows = yield* query(`select 1 from main.sqlite_schema where type = 'table' and name = $1`, [
    `inbox_${number}`,
  ]);
  return rows.length > 0;
}
