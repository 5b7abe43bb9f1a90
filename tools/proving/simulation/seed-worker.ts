/** A process of its own that runs the ranges of seeds it is sent. */
import { runSeed, type SeedReport } from './run-seed.ts';
import type { RangeReport, SeedRange } from './run-seeds.ts';

process.on('message', ({ first, count }: SeedRange) => {
  void runRange(first, count).then((report) => process.send?.(report));
});

async function runRange(first: number, count: number): Promise<RangeReport> {
  const failed: SeedReport[] = [];
  let [steps, events, bookmarks, snapshots] = [0, 0, 0, 0];
  for (let seed = first; seed < first + count; seed += 1) {
    const report = await runSeed(seed);
    steps += report.steps;
    events += report.events;
    bookmarks += report.bookmarks;
    snapshots += report.snapshots;
    if (report.wrong.length > 0) failed.push(report);
  }
  return { seeds: count, steps, events, bookmarks, snapshots, failed };
}
