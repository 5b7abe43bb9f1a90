import type { Database } from '../../drivers/database.ts';
import { once, sql } from '../../drivers/dialect/sql.ts';
import type { StoreAlarm } from '../../errors/index.ts';
import { updateNote } from '../../write/update-note.ts';

const NOTE = 'rostack-store/origin';

/**
 * Notices that the database is not the same one as when it was last opened: a copied file, a loaded dump, a server that was restored or
 * promoted. It only informs the operator: positions of a lost history are refused because of their tag.
 */
export async function noteOrigin(database: Database, onAlarm: (alarm: StoreAlarm) => void): Promise<void> {
  const origin = await database.origin();
  if (origin === undefined || (await readNote(database)) === origin) return;
  let before: string | undefined;
  await database.write(() =>
    updateNote(database.dialect, NOTE, (present) => {
      before = present;
      return origin;
    }),
  );
  if (before === undefined || before === origin) return;
  const message = `the database is not the one that was opened last time (${before} then, ${origin} now): it was copied, restored or promoted; if changes were lost, cursors that name them are refused`;
  onAlarm({ code: 'database_moved', message, resource: undefined, cause: undefined });
}

async function readNote(database: Database): Promise<string | undefined> {
  const note = database.dialect.table('note');
  const query = once(database.dialect, sql`select body from ${note} where name = ${NOTE}`);
  return (await database.query<{ body: string }>(query))[0]?.body;
}
