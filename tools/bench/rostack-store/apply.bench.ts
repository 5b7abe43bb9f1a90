import type { Store } from 'rostack-store';
import { median, postgresStore, reading, report, sqliteStore, timed } from './support.ts';

/** Changes per second in batches of 200 (creates at first, then updates of records next to each other, as a feed brings them), on disk when they are acknowledged. */
const BATCH = 200;
const RECORDS = 20_000;
const ROUNDS = 5;
const BARS = { sqlite: 20_000, postgres: 10_000 };

async function changesPerSecond(store: Store, round: number): Promise<number> {
  const batches = Array.from({ length: RECORDS / BATCH }, (_, batch) =>
    Array.from({ length: BATCH }, (_, index) => reading(batch * BATCH + index, round)),
  );
  const elapsedMs = await timed(async () => {
    for (const batch of batches) await store.apply(batch);
  });
  return (RECORDS / elapsedMs) * 1_000;
}

await using sqlite = await sqliteStore();
const postgres = await postgresStore();
const rates = { sqlite: [] as number[], postgres: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  rates.sqlite.push(await changesPerSecond(sqlite, round));
  if (postgres !== undefined) rates.postgres.push(await changesPerSecond(postgres, round));
}
for (const name of ['sqlite', 'postgres'] as const) {
  const [least, most] = [Math.min(...rates[name]), Math.max(...rates[name])];
  if (rates[name].length === 0) {
    console.log(`rostack-store/apply-${name}: skipped, no PostgreSQL answers`);
    continue;
  }
  const rate = median(rates[name]);
  report(
    { bench: `rostack-store/apply-${name}`, ratio: rate / BARS[name], bar: 1, want: 'at least' },
    `${Math.round(rate)} changes/s in batches of ${BATCH} (${Math.round(least)} to ${Math.round(most)})`,
  );
}
await postgres?.[Symbol.asyncDispose]();
