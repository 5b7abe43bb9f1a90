/**
 * A gateway in its own process, with this many stations: `node bench-gateway.ts <records> <store URL> <schema>`. Prints one JSON line
 * with its address, its certificate and a token, and serves until its standard input ends.
 */
import { openStore } from 'rostack-store';
import { defineObservatory, station } from '../../../../packages/rostack-client/test/support/observatory.ts';
import { TestGateway } from '../../../../packages/rostack-client/test/support/test-gateway.ts';
import { certificate } from '../../../../packages/rostack-client/test/support/trust.ts';

const BATCH = 5_000;
const [count = '', url = '', schema = ''] = process.argv.slice(2);
await using store = await openStore({
  url,
  schema,
  implementation: defineObservatory('https://localhost'),
  synchronous: 'normal',
  writeTimeoutMs: 120_000,
});
for (let from = 0; from < Number(count); from += BATCH) {
  const batch = Array.from({ length: BATCH }, (_, index) =>
    station(from + index, { name: `station ${String(from + index).padStart(7, '0')}` }),
  );
  await store.apply(batch.map((record) => ({ resource: 'stations', op: 'put', record })));
}
await using gateway = await TestGateway.start({ store, maxPageSize: 1_000 });
const { cert } = await certificate;
process.stdout.write(`${JSON.stringify({ url: gateway.url, cert, token: gateway.token().token })}\n`);
await new Promise((resolve) => process.stdin.once('end', resolve).resume());
