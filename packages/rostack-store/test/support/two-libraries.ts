import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openStore, type SqliteConnection } from '../../src/index.ts';
import { stations } from './stations.ts';

/** Opens, reads and closes the database, as a shell or a backup does. */
const VISITOR = `
  const { DatabaseSync } = require('node:sqlite');
  const visitor = new DatabaseSync(process.argv[1]);
  visitor.prepare('select count(*) from record_1').all();
  visitor.close();`;

/**
 * An application with two SQLite libraries: writes within a transaction of `node:sqlite`, closes that, lets another process look at the
 * file, and applies 200 changes. Prints a line for each that is acknowledged, or why it is not, and then waits to be killed:
 * `node two-libraries.ts <file>`.
 */
const [file = ''] = process.argv.slice(2);
const store = await openStore({ url: `sqlite:${file}`, resources: [stations] });
const tell = (line: string) => writeSync(1, `${line}\n`);
const put = async (id: string) => {
  try {
    await store.apply([{ resource: 'stations', op: 'put', record: { id, height: 1 } }]);
    tell(`acknowledged ${id}`);
  } catch (error) {
    tell(`failed ${(error as { code: string }).code}`);
  }
};

await put('first');
const connection = new DatabaseSync(file);
connection.exec('begin');
try {
  const change = { resource: 'stations', op: 'put', record: { id: 'within', height: 1 } } as const;
  store.applyWithin(connection as unknown as SqliteConnection, [change]);
  tell('acknowledged within');
} catch (error) {
  tell(`refused ${(error as { code: string }).code}`);
}
connection.exec('commit');
connection.close();
execFileSync(process.execPath, ['--no-warnings', '-e', VISITOR, file]);
for (let count = 0; count < 200; count += 1) await put(`${count}`);
tell(`fault ${store.status.writeFault?.error.code ?? 'none'}`);
tell('end');
setInterval(() => {}, 1_000);
