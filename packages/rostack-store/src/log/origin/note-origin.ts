import { statSync } from 'node:fs';
import type { Database } from '../../drivers/database.ts';
import { once, sql } from '../../drivers/sql.ts';
import { SqliteDatabase } from '../../drivers/sqlite/database.ts';
import type { StoreAlarm } from '../../errors/index.ts';
import { updateNote } from '../../write/update-note.ts';

const NOTE = 'rostack-store/origin';

/**
 * Notices that the database is not the same one as when it was last opened: a copied file, a loaded dump, a server that was restored or
 * promoted. It only informs the operator: positions of a lost history are refused because of their tag.
 */
export async function noteOrigin(
  database: Database,
  { schema, onAlarm }: { readonly schema: string; readonly onAlarm: (alarm: StoreAlarm) => void },
): Promise<void> {
  const origin = await readOrigin(database, schema);
  if (origin === undefined || (await readNote(database)) === origin) return;
  let before: string | undefined;
  await database.write(() =>
    updateNote(database.dialect, NOTE, (present) => {
      before = present;
      return origin;
    }),
  );
  if (before === undefined || before === origin) return;
  const message = `the database is another one than when it was opened last (${before} then, ${origin} now): it was copied, restored or promoted; should changes be lost, what was handed out of them is refused`;
  onAlarm({ code: 'database_moved', message, resource: undefined, cause: undefined });
}

/** Identifies the database by where it is stored; undefined if that cannot be found out. */
async function readOrigin(database: Database, schema: string): Promise<string | undefined> {
  if (database instanceof SqliteDatabase) {
    const { memory, name } = database.handle;
    if (memory) return undefined;
    const { ino, birthtimeNs } = statSync(name, { bigint: true });
    return `file ${ino} of ${birthtimeNs}`;
  }
  const state = sql.lit(`"${schema}"."state"`);
  const query = sql`select concat('server ', (select system_identifier from pg_control_system()),
    ', timeline ', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), ', table ', ${state}::regclass::oid) as origin`;
  try {
    const [row] = await database.query<{ origin: string }>(once(database.dialect, query));
    return row?.origin;
  } catch {
    // Not every role on every server may call these functions.
    return undefined;
  }
}

async function readNote(database: Database): Promise<string | undefined> {
  const note = database.dialect.table('note');
  const query = once(database.dialect, sql`select body from ${note} where name = ${NOTE}`);
  return (await database.query<{ body: string }>(query))[0]?.body;
}
