import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { connectPostgres } from 'test-support/postgres';

/** For a server to notice that its clients are gone, on a busy machine. */
const PATIENCE_MS = 20_000;
const LOOK_PAUSE_MS = 10;

/** Past versions that no reader can ask for: the floor is above them. */
const unreachable = (past: string, head: string, number: unknown): string =>
  `select count(*) as rows from ${past} where to_position <= (select floor from ${head} where number = ${Number(number)})`;

/**
 * To be called when all that used a SQLite file is closed.
 * @throws Error when something lies beside it, or in it, that nobody needs
 */
export function checkFileLeft(file: string): void {
  const own = [`${basename(file)}-wal`, `${basename(file)}-shm`, `${basename(file)}-journal`];
  const beside = readdirSync(dirname(file)).filter((name) => own.includes(name) || name.endsWith('.partial'));
  if (beside.length > 0) throw new Error(`a closed store has left ${beside.join(' and ')}`);
  if (!existsSync(file)) return;
  const left = new Sqlite(file, { readonly: true });
  try {
    const heads = left.prepare<[], { number: number }>('select number from head').all();
    for (const { number } of heads) {
      const count = left
        .prepare(unreachable(`past_${number}`, 'head', number))
        .pluck()
        .get();
      if (count !== 0) throw new Error(`${String(count)} past versions are left that nobody can ask for`);
    }
  } catch (error) {
    // Some tests leave a file that is no database, or none of the store.
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  } finally {
    left.close();
  }
}

/**
 * To be called when all stores in a schema of PostgreSQL are closed, whose sessions bear its name.
 * @throws Error when a session goes on, or the schema holds what nobody needs
 */
export async function checkSchemaLeft(schema: string, areSessionsOurs: boolean): Promise<void> {
  await using client = await connectPostgres();
  const sessions = async () => {
    const { rows } = await client.query<{ query: string }>(
      'select query from pg_stat_activity where application_name = $1',
      [schema],
    );
    return rows.map(({ query }) => query);
  };
  const untilMs = performance.now() + PATIENCE_MS;
  let open = areSessionsOurs ? await sessions() : [];
  while (open.length > 0 && performance.now() < untilMs) {
    await delay(LOOK_PAUSE_MS);
    open = await sessions();
  }
  if (open.length > 0) throw new Error(`${open.length} sessions are left open: ${open.join('; ')}`);
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = $1 and table_name ~ '^past_[0-9]+$'`,
    [schema],
  );
  for (const { name } of tables) {
    const text = unreachable(`${schema}.${name}`, `${schema}.head`, name.slice('past_'.length));
    const { rows } = await client.query<{ rows: string }>(text);
    const count = rows[0]?.rows;
    if (count !== '0') throw new Error(`${count} past versions are left that nobody can ask for`);
  }
}
