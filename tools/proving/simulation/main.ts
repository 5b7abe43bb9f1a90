/**
 * Runs the simulation: `pnpm simulate --seeds 10000`, or one seed again with its trace: `pnpm simulate --seed 42`.
 * Exit code 1 when a seed failed.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { describeVerdict } from '../follows/verdict.ts';
import { runSeed, type SeedReport } from './run-seed.ts';
import { runSeeds } from './run-seeds.ts';

/** The end of a failed seed's trace; `--seed` prints all of it. */
const TRACE_LINES = 200;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    seed: { type: 'string' },
    processes: { type: 'string', default: String(Math.max(2, availableParallelism())) },
    'keep-going': { type: 'boolean', default: false },
  },
});

process.exitCode = values.seed === undefined ? await runMany() : await runOne(Number(values.seed));

async function runMany(): Promise<number> {
  const startedMs = performance.now();
  const failed: SeedReport[] = [];
  let [seeds, steps, events, bookmarks, snapshots] = [0, 0, 0, 0, 0];
  await runSeeds({
    first: Number(values.first),
    count: Number(values.seeds),
    processes: Number(values.processes),
    onReport: (report) => {
      seeds += report.seeds;
      steps += report.steps;
      events += report.events;
      bookmarks += report.bookmarks;
      snapshots += report.snapshots;
      failed.push(...report.failed);
      for (const each of report.failed) print(each);
      return values['keep-going'] || failed.length === 0;
    },
  });
  const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(
    `${seeds} seeds in ${tookS} s: ${steps} turns, ${events} events, ${bookmarks} bookmarks, ${snapshots} snapshots; ${failed.length} failed`,
  );
  const [first] = failed.toSorted((a, b) => a.seed - b.seed);
  if (first === undefined) return 0;
  const lines: string[] = [];
  await runSeed(first.seed, (line) => lines.push(line));
  console.log(lines.slice(-TRACE_LINES).join('\n'));
  print(first);
  return 1;
}

async function runOne(seed: number): Promise<number> {
  const report = await runSeed(seed, (line) => console.log(line));
  print(report);
  return report.wrong.length === 0 ? 0 : 1;
}

function print(report: SeedReport): void {
  const { seed, faults, endedAtMs } = report;
  console.log(
    describeVerdict(report, `${endedAtMs} virtual ms; ${faults.join(', ')}`, `pnpm simulate --seed ${seed}`),
  );
}
