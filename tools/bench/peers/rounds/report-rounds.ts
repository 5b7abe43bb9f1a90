import { median, ratiosOf, spreadOf } from '../../support/numbers.ts';
import { report } from '../../support/report.ts';
import type { FollowRound } from './follow-round.ts';

/** What our figure may be of the peer's. */
export type Bars = Readonly<Record<'live' | 'p50' | 'p99' | 'processor' | 'memory', number>>;

type Rounds<Round> = { readonly ours: readonly Round[]; readonly peer: readonly Round[] };

const FIGURES = {
  live: { of: 'liveS', name: 'S', unit: 's' },
  p50: { of: 'p50Ms', name: 'Ms', unit: 'ms' },
  p99: { of: 'p99Ms', name: 'Ms', unit: 'ms' },
  processor: { of: 'cores', name: 'Cores', unit: 'of a core' },
  memory: { of: 'mib', name: 'Mib', unit: 'MiB' },
} as const;

/** Reports each figure of the rounds relative to the peer's. @param bench `peers/zero/20-followers` */
export function reportFollowRounds(bench: string, rounds: Rounds<FollowRound>, bars: Bars): void {
  for (const name of ['live', 'p50', 'p99', 'processor', 'memory'] as const) {
    const { of, ...figure } = FIGURES[name];
    const beside =
      name === 'processor'
        ? `; followers ${pair(rounds, ({ followerCores }) => followerCores)}, PostgreSQL ${pair(rounds, ({ databaseCores }) => databaseCores)}`
        : '';
    reportRatio(`${bench}/${name}`, rounds, (round) => round[of], { ...figure, bar: bars[name], beside });
  }
}

interface Named {
  readonly bar: number;
  /** How the figures are called after `ours` and `peer`. */
  readonly name: string;
  readonly unit: string;
  /** @default nothing */
  readonly beside?: string;
  /** Further figures for the history. @default none */
  readonly figures?: Readonly<Record<string, number>>;
}

/** Reports the median of the ratios of the rounds, with the medians of both. */
export function reportRatio<Round>(
  bench: string,
  rounds: Rounds<Round>,
  of: (round: Round) => number,
  { bar, name, unit, beside = '', figures }: Named,
): void {
  const [ours, peer] = [rounds.ours.map(of), rounds.peer.map(of)];
  const ratios = ratiosOf(ours, peer);
  report(bench, {
    ratio: median(ratios),
    bar,
    want: 'at most',
    note: `${pair(rounds, of)} ${unit}; rounds ${spreadOf(ratios)}${beside}`,
    figures: {
      [`ours${name}`]: rounded(median(ours)),
      [`peer${name}`]: rounded(median(peer)),
      ...figures,
    },
  });
}

/** Ours beside the peer's, as medians. */
const pair = <Round>({ ours, peer }: Rounds<Round>, of: (round: Round) => number): string =>
  `ours ${rounded(median(ours.map(of)))}, peer ${rounded(median(peer.map(of)))}`;

const rounded = (figure: number): number => Number(figure.toPrecision(3));
