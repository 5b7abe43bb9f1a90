import type { SeedReport } from './run-seed.ts';

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
  readonly snapshots: number;
  readonly failed: readonly SeedReport[];
}
