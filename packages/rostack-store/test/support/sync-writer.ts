import { stat } from 'node:fs/promises';
import { openStore } from '../../src/index.ts';
import { stations } from './stations.ts';

/** Applies ten changes one by one and looks at a file after each: `node sync-writer.ts <url> <full or normal>`. */
const [url = '', synchronous] = process.argv.slice(2);
await using store = await openStore({
  url,
  resources: [stations],
  synchronous: synchronous === 'full' ? 'full' : 'normal',
});
await stat(import.meta.filename);
for (let height = 0; height < 10; height += 1) {
  await store.apply([{ resource: 'stations', op: 'put', record: { id: 'a', height } }]);
  await stat(import.meta.filename);
}
