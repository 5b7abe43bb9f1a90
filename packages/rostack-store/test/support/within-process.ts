import { writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { POSTGRES_URL } from 'test-support/postgres-url';
import { openStore, type StoreChange } from '../../src/index.ts';
import { stations } from './stations.ts';

/**
 * Writes rows of an application together with their changes, and prints the id of each that was committed, until it is killed:
 * `node within-process.ts <url> <schema> <round>`.
 */
const [url = '', schema = '', round = '0'] = process.argv.slice(2);
const store = await openStore({ url, schema, resources: [stations], retention: { intervalMs: 0 } });
const isSqlite = url.startsWith('sqlite:');
const connection = isSqlite ? new Sqlite(url.slice('sqlite:'.length)) : undefined;
const client = isSqlite ? undefined : new Client(POSTGRES_URL);
await client?.connect();

for (let number = 0; ; number += 1) {
  const id = `${round}-${number}`;
  const row = `insert into ${isSqlite ? 'main' : schema}.own (id, height) values ('${id}', ${number})`;
  const changes: StoreChange[] = [{ resource: 'stations', op: 'put', record: { id, height: number } }];
  // One order and the other: a kill may come between the two writes either way.
  const isFirst = number % 2 === 0;
  if (connection !== undefined) {
    connection.transaction(() => {
      if (isFirst) connection.exec(row);
      store.applyWithin(connection, changes);
      if (!isFirst) connection.exec(row);
    })();
  } else if (client !== undefined) {
    await client.query('begin');
    if (isFirst) await client.query(row);
    await store.applyWithin(client, changes);
    if (!isFirst) await client.query(row);
    await client.query('commit');
  }
  writeSync(1, `${id}\n`);
}
