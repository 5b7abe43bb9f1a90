import { type LoadResult, load, type Target } from './load.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;
/** On two cores it takes seconds until the code behind a request is compiled. */
const WARM_UP_MS = 5_000;
/** On a busy machine a page may time out; more failures than this would make the rate look better than it is. */
const MAX_FAILED_SHARE = 0.001;

/** Runs the servers, by name, each under the same load, in alternating rounds. */
export async function runRounds<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
): Promise<Readonly<Record<Name, readonly LoadResult[]>>> {
  const names = Object.keys(targets) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as LoadResult[]])) as Record<
    Name,
    LoadResult[]
  >;
  const sent = new Map<Name, number>();
  const run = async (name: Name, durationMs: number): Promise<LoadResult> => {
    // A round continues where the last one ended, so no request is repeated.
    const firstRequest = sent.get(name) ?? 0;
    const result = await load({ ...targets[name], connections: CONNECTIONS, durationMs, firstRequest });
    sent.set(name, firstRequest + result.responses + CONNECTIONS);
    return result;
  };
  for (const name of names) await run(name, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) {
      const result = await run(name, ROUND_MS);
      const { failures, responses, firstFailure } = result;
      if (failures > responses * MAX_FAILED_SHARE)
        throw new Error(`${name}: ${failures} requests failed, the first with ${firstFailure}`);
      results[name].push(result);
    }
  }
  return results;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints a result for people and for the runner. */
export function report(
  bench: string,
  result: {
    readonly ratio: number;
    readonly bar: number;
    readonly want: 'at least' | 'at most';
    readonly note: string;
    /** For the history, each with its unit in its name. */
    readonly figures?: Readonly<Record<string, number>>;
  },
): void {
  const { ratio, bar, want, note, figures } = result;
  const holds = want === 'at least' ? ratio >= bar : ratio <= bar;
  console.log(`${bench}: ${ratio.toFixed(3)}, wanted ${want} ${bar} (${note})`);
  console.log(
    JSON.stringify({
      bench: `rostack-gateway/${bench}`,
      ratio: Number(ratio.toFixed(4)),
      bar,
      want,
      holds,
      figures,
    }),
  );
}

/** Reports our rate relative to the peer's, and our p99 if it has a bar, as medians of the rounds' ratios. */
export function reportRounds(
  bench: string,
  { ours, peer }: { readonly ours: readonly LoadResult[]; readonly peer: readonly LoadResult[] },
  bars: { readonly rate: number; readonly p99?: number },
): void {
  const ratios = (of: (result: LoadResult) => number): number[] =>
    ours.map((result, round) => of(result) / of(peer[round] ?? result));
  const rates = ratios(({ perSecond }) => perSecond);
  const bytes = Math.round(ours[0]?.bytesPerResponse ?? 0);
  report(`${bench}/rate`, {
    ratio: median(rates),
    bar: bars.rate,
    want: 'at least',
    note: `ours ${summary(ours)}; peer ${summary(peer)}; ${bytes} bytes; rounds ${Math.min(...rates).toFixed(2)} to ${Math.max(...rates).toFixed(2)}`,
    figures: {
      oursPerSecond: rounded(ours, 'perSecond'),
      oursCpuUs: rounded(ours, 'cpuUs'),
      peerPerSecond: rounded(peer, 'perSecond'),
      peerCpuUs: rounded(peer, 'cpuUs'),
    },
  });
  if (bars.p99 === undefined) return;
  report(`${bench}/p99`, {
    ratio: median(ratios(({ p99Ms }) => p99Ms)),
    bar: bars.p99,
    want: 'at most',
    note: `ours ${median(ours.map(({ p99Ms }) => p99Ms)).toFixed(2)} ms, peer ${median(peer.map(({ p99Ms }) => p99Ms)).toFixed(2)} ms`,
  });
}

const rounded = (results: readonly LoadResult[], figure: 'perSecond' | 'cpuUs'): number =>
  Math.round(median(results.map((result) => result[figure])));

function summary(results: readonly LoadResult[]): string {
  const failures = results.reduce((sum, each) => sum + each.failures, 0);
  return `${rounded(results, 'perSecond')}/s, ${rounded(results, 'cpuUs')} us of processor${failures === 0 ? '' : `, ${failures} failed`}`;
}
