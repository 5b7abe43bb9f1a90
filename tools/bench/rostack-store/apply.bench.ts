import type { Store } from 'rostack-store';
import { median, spreadOf } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { runRounds } from '../support/rounds.ts';
import { postgresStore, reading, sqliteStore, timed } from './support/stores.ts';

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

for (const [name, open] of [
  ['sqlite', sqliteStore],
  ['postgres', postgresStore],
] as const) {
  await using store = await open();
  if (store === undefined) {
    console.log(`rostack-store/apply-${name}: skipped, no PostgreSQL answers`);
    continue;
  }
  const work = (round: number) => changesPerSecond(store, round);
  const rates = (await runRounds({ work }, { rounds: ROUNDS, warmUps: 0 })).work;
  report(`rostack-store/apply-${name}`, {
    ratio: median(rates) / BARS[name],
    bar: 1,
    want: 'at least',
    note: `${Math.round(median(rates))} changes/s in batches of ${BATCH}, rounds ${spreadOf(rates, 0)}`,
  });
}
