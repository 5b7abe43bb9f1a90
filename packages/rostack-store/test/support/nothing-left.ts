import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { checkSessionsLeft, connectPostgres } from 'test-support/postgres';

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
  if (areSessionsOurs) await checkSessionsLeft(schema);
  await using client = await connectPostgres();
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
