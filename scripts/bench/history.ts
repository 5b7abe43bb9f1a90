import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from './rows.ts';

/** What was measured: one JSON object per line, the oldest first. Lines are added and never changed. */
export const HISTORY = 'docs/benchmarks.jsonl';

export interface HistoryLine {
  readonly benchmark: string;
  /** By name, each with its unit: `ratio`, `p99Ms`, `recordsPerSecond`; `leastX` and `mostX` are of several runs or cases. */
  readonly figures: Readonly<Record<string, number>>;
  /** The bar of the figure that the row of the benchmark names. */
  readonly wanted?: Wanted;
  readonly machine: string;
  /** The day of the run, `2026-11-28`. */
  readonly date: string;
  /** Absent for runs of before there was a history. */
  readonly commit?: string;
  readonly note?: string;
  /** The decision, commit or change of the benchmark that the measured code is older than: no longer what holds. */
  readonly before?: string;
}

export type Wanted = { readonly atLeast: number } | { readonly atMost: number };

/** What a benchmark prints as one JSON line. */
export interface Result {
  readonly bench: string;
  readonly ratio: number;
  readonly bar: number;
  readonly want: 'at least' | 'at most';
  readonly holds: boolean;
  /** Further figures, such as `recordsPerSecond`. */
  readonly figures?: Readonly<Record<string, number>>;
}

export function readHistory(root: string): readonly HistoryLine[] {
  return readFileSync(join(root, HISTORY), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryLine);
}

/** The lines of a run. A benchmark that has several cases under one name is as good as the worst of them. */
export function historyLines(
  results: readonly Result[],
  run: Pick<HistoryLine, 'machine' | 'date' | 'commit' | 'note'>,
): readonly HistoryLine[] {
  const worst = new Map<string, Result>();
  for (const result of results) {
    const other = worst.get(result.bench)?.ratio ?? result.ratio;
    const isWorse = result.want === 'at least' ? result.ratio <= other : result.ratio >= other;
    if (isWorse) worst.set(result.bench, result);
  }
  return [...worst.values()].map(({ bench, ratio, bar, want, figures }) => ({
    benchmark: bench,
    figures: { [rowOf(bench).unit]: ratio, ...figures },
    wanted: want === 'at least' ? { atLeast: bar } : { atMost: bar },
    ...run,
  }));
}
