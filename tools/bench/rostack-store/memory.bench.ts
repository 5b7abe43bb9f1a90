import { median } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { reading, sqliteStore } from './support/stores.ts';

/** Resident memory over 1,000,000 changes, pruned as they go: the last fifth against the second. */
const CHANGES = 1_000_000;
const RECORDS = 5_000;
const BATCH = 1_000;
const SAMPLE_EVERY = 20_000;

await using store = await sqliteStore({ maxChanges: 20_000, intervalMs: 0 });
const samples: number[] = [];
for (let done = 0; done < CHANGES; done += BATCH) {
  const round = Math.floor(done / RECORDS);
  await store.apply(Array.from({ length: BATCH }, (_, index) => reading((done + index) % RECORDS, round)));
  if ((done + BATCH) % SAMPLE_EVERY !== 0) continue;
  await store.prune();
  samples.push(process.memoryUsage.rss());
}
const fifth = samples.length / 5;
const early = median(samples.slice(fifth, 2 * fifth));
const late = median(samples.slice(4 * fifth));
const { position } = await store.source('readings').head();
report('rostack-store/memory-sqlite', {
  ratio: late / early,
  bar: 1.15,
  want: 'at most',
  note: `${Math.round(late / 1_048_576)} MiB resident after ${position} changes, ${Math.round(early / 1_048_576)} MiB at the start`,
});
