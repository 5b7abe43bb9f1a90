import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { SeedReport } from './run-seed.ts';

const RANGE_SEEDS = 25;

export interface RunSeedsOptions extends SeedRange {
  readonly processes: number;
  /** Called with each range that is done. Returns false to stop. */
  readonly onReport: (report: RangeReport) => boolean;
}

/** Runs seeds in processes, each range as soon as one is free. */
export async function runSeeds({ first, count, processes, onReport }: RunSeedsOptions): Promise<void> {
  let next = first;
  let isStopped = false;
  const takeRange = (): SeedRange | undefined => {
    const range = { first: next, count: Math.min(RANGE_SEEDS, first + count - next) };
    next += range.count;
    return range.count > 0 && !isStopped ? range : undefined;
  };
  const work = async (): Promise<void> => {
    const worker = fork(resolve(import.meta.dirname, 'seed-worker.ts'));
    const ended = once(worker, 'exit').then(() => {
      throw new Error('a process that runs seeds has ended');
    });
    try {
      for (let range = takeRange(); range !== undefined; range = takeRange()) {
        worker.send(range);
        const [report] = (await Promise.race([once(worker, 'message'), ended])) as [RangeReport];
        if (!onReport(report)) isStopped = true;
      }
    } finally {
      ended.catch(() => {});
      worker.kill();
    }
  };
  await Promise.all(Array.from({ length: processes }, work));
}

/** Seeds for one worker to run: one after the other. */
export interface SeedRange {
  readonly first: number;
  readonly count: number;
}

/** What a worker sends back. */
export interface RangeReport {
  readonly seeds: number;
  readonly steps: number;
  readonly events: number;
  readonly bookmarks: number;
  readonly snapshots: number;
  readonly failed: readonly SeedReport[];
}
