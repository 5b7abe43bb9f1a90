import { type LoadPlan, type LoadResult, load } from './load.ts';

const ROUNDS = 5;
const ROUND_MS = 2_000;
/** On two cores the compiler takes seconds to get through what a request runs. */
const WARM_UP_MS = 6_000;

/** Our server and the bare one under the same load, in alternating rounds. */
export interface Comparison {
  readonly ours: readonly LoadResult[];
  readonly bare: readonly LoadResult[];
}

type Target = Pick<LoadPlan, 'port' | 'requestsFile'>;

export async function compare(ours: Target, bare: Target, connections = 32): Promise<Comparison> {
  const sent = new Map<Target, number>();
  const run = async (target: Target, durationMs: number): Promise<LoadResult> => {
    // A round goes on where the last one ended: what was asked before is not asked again.
    const firstRequest = sent.get(target) ?? 0;
    const result = await load({ ...target, connections, durationMs, firstRequest });
    sent.set(target, firstRequest + result.responses + connections);
    return result;
  };
  await run(ours, WARM_UP_MS);
  await run(bare, WARM_UP_MS);
  const results = { ours: [] as LoadResult[], bare: [] as LoadResult[] };
  for (let round = 0; round < ROUNDS; round++) {
    results.bare.push(await run(bare, ROUND_MS));
    results.ours.push(await run(ours, ROUND_MS));
  }
  const failures = [...results.ours, ...results.bare].reduce((sum, result) => sum + result.failures, 0);
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints a result for people and for the runner. */
export function report(
  bench: string,
  result: { ratio: number; bar: number; want: 'at least' | 'at most'; note: string },
): void {
  const { ratio, bar, want, note } = result;
  const holds = want === 'at least' ? ratio >= bar : ratio <= bar;
  console.log(`${bench}: ${ratio.toFixed(3)}, wanted ${want} ${bar} (${note})`);
  console.log(
    JSON.stringify({ bench: `rostack-server/${bench}`, ratio: Number(ratio.toFixed(4)), bar, want, holds }),
  );
}

/** Reports the requests per second and the p99 of a comparison, as medians of the rounds' ratios. */
export function reportComparison(
  bench: string,
  { ours, bare }: Comparison,
  rateBar: number,
  p99Bar?: number,
): void {
  const ratios = ours.map((result, round) => result.perSecond / (bare[round]?.perSecond ?? Number.NaN));
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const rate = (results: readonly LoadResult[]): string =>
    `${Math.round(median(results.map(({ perSecond }) => perSecond)))}/s`;
  const cpu = (results: readonly LoadResult[]): string =>
    `${(median(results.map(({ cpuMsPerResponse }) => cpuMsPerResponse)) * 1_000).toFixed(0)} us`;
  const bytes = Math.round(ours[0]?.bytesPerResponse ?? 0);
  report(`${bench}-rate`, {
    ratio: median(ratios),
    bar: rateBar,
    want: 'at least',
    note: `ours ${rate(ours)}, bare Hono ${rate(bare)}, ${bytes} bytes, rounds ${spread}, processor ${cpu(ours)} and ${cpu(bare)}`,
  });
  if (p99Bar === undefined) return;
  const p99s = ours.map((result, round) => result.p99Ms / (bare[round]?.p99Ms ?? Number.NaN));
  const p99 = (results: readonly LoadResult[]): string =>
    `${median(results.map(({ p99Ms }) => p99Ms)).toFixed(2)} ms`;
  report(`${bench}-p99`, {
    ratio: median(p99s),
    bar: p99Bar,
    want: 'at most',
    note: `ours ${p99(ours)}, bare ${p99(bare)}`,
  });
}
