import { median, ratiosOf, spreadOf } from '../numbers.ts';
import { report } from '../report.ts';
import { runRounds } from '../rounds.ts';
import { type LoadResult, load, type Target } from './load.ts';

/** On a busy machine a page may time out; more failures than this would make the rate look better than it is. */
const MAX_FAILED_SHARE = 0.001;

export interface LoadRoundsOptions {
  /** @default 32 */
  readonly connections?: number;
  /** @default 5 */
  readonly rounds?: number;
  /** Of each server in a round. @default 2,000 */
  readonly roundMs?: number;
  /** Of each server before the rounds: on two cores it takes seconds until the code behind a request is compiled. @default 5,000 */
  readonly warmUpMs?: number;
}

/** Runs the servers, by name, each under the same load, in alternating rounds. */
export async function runLoadRounds<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  { connections = 32, rounds = 5, roundMs = 2_000, warmUpMs = 5_000 }: LoadRoundsOptions = {},
): Promise<Readonly<Record<Name, readonly LoadResult[]>>> {
  const names = Object.keys(targets) as Name[];
  const sent = new Map<Name, number>();
  const run = async (name: Name, durationMs: number): Promise<LoadResult> => {
    // A round continues where the last one ended, so no request is repeated.
    const firstRequest = sent.get(name) ?? 0;
    const result = await load({ ...targets[name], connections, durationMs, firstRequest });
    sent.set(name, firstRequest + result.responses + connections);
    return result;
  };
  const counted = (name: Name) => async (): Promise<LoadResult> => {
    const result = await run(name, roundMs);
    const { failures, responses, firstFailure } = result;
    if (failures > responses * MAX_FAILED_SHARE)
      throw new Error(`${name}: ${failures} requests failed, the first with ${firstFailure}`);
    return result;
  };
  if (warmUpMs > 0) for (const name of names) await run(name, warmUpMs);
  const works = Object.fromEntries(names.map((name) => [name, counted(name)]));
  return runRounds(works as Record<Name, () => Promise<LoadResult>>, { rounds, warmUps: 0 });
}

/** Reports our rate relative to the peer's, and our p99 if it has a bar, as medians of the rounds' ratios. */
export function reportLoadRounds(
  bench: string,
  { ours, peer }: { readonly ours: readonly LoadResult[]; readonly peer: readonly LoadResult[] },
  bars: { readonly rate: number; readonly p99?: number },
): void {
  const ratios = (of: (result: LoadResult) => number) => ratiosOf(ours.map(of), peer.map(of));
  const rates = ratios(({ perSecond }) => perSecond);
  const bytes = Math.round(ours[0]?.bytesPerResponse ?? 0);
  report(`${bench}/rate`, {
    ratio: median(rates),
    bar: bars.rate,
    want: 'at least',
    note: `ours ${summary(ours)}; peer ${summary(peer)}; ${bytes} bytes; rounds ${spreadOf(rates)}`,
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
