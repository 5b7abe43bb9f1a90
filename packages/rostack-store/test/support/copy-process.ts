/** A process that copies the table `letters` into the resource of that name, and prints its largest resident set in bytes. */
import { setTimeout as delay } from 'node:timers/promises';
import { attachTable, openStore, startMover } from '../../src/index.ts';
import { letters } from './letters.ts';

const [, , url = '', schema = '', table = '', maxRecordBytes = ''] = process.argv;
await using store = await openStore({
  url,
  schema,
  resources: [letters],
  maxRecordBytes: Number(maxRecordBytes),
});
const source = { table, key: 'id' };
await attachTable(store, 'letters', source);
await using mover = startMover(store, { letters: source });
while (mover.status[0]?.state !== 'following') await delay(50);
const { position } = await store.source('letters').head();
process.stdout.write(JSON.stringify({ position, maxRssBytes: process.resourceUsage().maxRSS * 1024 }));
