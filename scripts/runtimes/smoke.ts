/** What rostack-core and rostack-client have to do in any runtime: `smoke.ts URL TOKEN`, against a gateway configured by `init`. */
import { connect } from '../../packages/rostack-client/dist/index.js';
import { compileFilter, parseFilter } from '../../packages/rostack-core/dist/index.js';

const [url = '', token = ''] = process.argv.slice(2);

const isHigh = compileFilter(parseFilter({ '/height_m': { gte: 1000 } }));
if (!isHigh({ id: 'halla', height_m: 1947 }) || isHigh({ id: 'seoul', height_m: 86 })) {
  throw new Error('The filter does not tell high from low.');
}

const client = await connect(url, { method: 'shared_token', token });
let count = 0;
for await (const { id } of client.list<{ id: string }>('stations')) {
  if (typeof id === 'string') count++;
}
if (count === 0) throw new Error('The list is empty.');

for await (const change of client.follow('stations')) {
  if (change.kind === 'live') console.log('live');
  if (change.kind === 'created') break;
}
await client.close();
console.log('done');
