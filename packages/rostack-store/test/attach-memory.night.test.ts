import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeBoth } from './support/databases.ts';
import { executeRaw } from './support/execute-raw.ts';

const MIB = 1_048_576;
const ROWS = 400;
const PROCESS = new URL('support/copy-process.ts', import.meta.url).pathname;

describeBoth('the memory of a process that copies a table', (create) => {
  test('stays below 400 MiB where rows have 1 MiB', async () => {
    await using database = create();
    // Makes the schema of the store.
    await (await database.open({ resources: [] })).close();
    const isSqlite = database.url.startsWith('sqlite:');
    const table = isSqlite ? 'letters' : `${database.schema}.letters`;
    await executeRaw(database, `create table ${table} (id integer primary key, body text)`);
    const text = isSqlite ? `replace(hex(zeroblob(${MIB / 2})), '00', 'xy')` : `repeat('xy', ${MIB / 2})`;
    const numbers = isSqlite
      ? `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n)`
      : `generate_series(1, ${ROWS}) i`;
    await executeRaw(database, `insert into ${table} select i, ${text} from ${numbers}`);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=workspace-source',
      PROCESS,
      database.url,
      database.schema,
      table,
      String(2 * MIB),
    ]);
    const { position, maxRssBytes } = JSON.parse(stdout) as { position: number; maxRssBytes: number };
    expect(position).toBe(ROWS);
    expect(maxRssBytes).toBeLessThan(400 * MIB);
  }, 600_000);
});
