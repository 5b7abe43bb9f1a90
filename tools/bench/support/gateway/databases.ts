import { join } from 'node:path';
import { hasPostgres, postgresSchema } from 'test-support/postgres';
import { temporaryFolder } from 'test-support/temporary-folder';

export interface BenchDatabase {
  readonly url: string;
  /** The PostgreSQL schema. */
  readonly schema: string;
}

/** A new SQLite file, which is removed at the end. */
export async function sqliteFile(): Promise<BenchDatabase & AsyncDisposable> {
  const folder = await temporaryFolder();
  const url = `sqlite:${join(folder.path, 'store.db')}`;
  return { url, schema: 'main', [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Runs a benchmark over a new SQLite file, then over a new schema of PostgreSQL where one answers. */
export async function overBoth(
  bench: string,
  run: (name: 'sqlite' | 'postgresql', database: BenchDatabase) => Promise<unknown>,
): Promise<void> {
  {
    await using file = await sqliteFile();
    await run('sqlite', file);
  }
  if (hasPostgres) {
    await using schema = postgresSchema();
    await run('postgresql', schema);
  } else console.log(`${bench}/postgresql: skipped, no PostgreSQL answers`);
}
