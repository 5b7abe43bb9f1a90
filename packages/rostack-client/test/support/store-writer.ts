import { writeSync } from 'node:fs';
import { SqliteStateStore } from 'rostack-client/node';
import { stateAfter, updateOf } from './kill-follower-states.ts';

/** Writes states in a loop until it is killed: `node store-writer.ts <file> <first run>`. */
const [path = '', first = '0'] = process.argv.slice(2);
const store = new SqliteStateStore(path);
writeSync(1, 'open\n');
for (let run = Number(first); ; run += 1) {
  await store.replace('key', stateAfter(run, 0));
  for (let n = 1; n <= 150; n += 1) {
    await store.update('key', updateOf(run, n));
    writeSync(1, `${run}.${n}\n`);
  }
}
