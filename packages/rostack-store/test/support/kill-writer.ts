import { writeSync } from 'node:fs';
import { openStore } from '../../src/index.ts';
import { stations } from './stations.ts';

/** Applies batches in a loop and prints a line per acknowledged one, until it is killed: `node kill-writer.ts <url> <round>`. */
const [url = '', round = '0'] = process.argv.slice(2);
const store = await openStore({
  url,
  resources: [stations],
  retention: { maxChanges: 5_000, intervalMs: 5 },
});
writeSync(1, 'open\n');
for (let batch = 0; ; batch += 1) {
  const changes = Array.from({ length: 5 }, (_, index) => ({
    resource: 'stations',
    op: 'put' as const,
    record: { id: `s${(batch * 5 + index) % 40}`, height: Number(round) * 1_000_000 + batch * 10 + index },
  }));
  const removal = { resource: 'stations', op: 'delete' as const, id: `s${(batch * 3) % 40}` };
  const results = await store.apply(batch % 4 === 3 ? [...changes, removal] : changes);
  // One write per line: a pipe takes a short one whole, so an acknowledgement is printed or it is not.
  writeSync(1, `${JSON.stringify(results.map(({ id, position, version }) => [id, position, version]))}\n`);
}
