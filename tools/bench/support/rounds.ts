import { median, quantile } from './numbers.ts';

/** What is done once a round. It is told the number of the round, which is negative while it warms up. */
export type Work<Result> = (round: number) => Result | Promise<Result>;

export interface RoundsOptions {
  readonly rounds: number;
  /** Rounds before them, which do not count. @default 1 */
  readonly warmUps?: number;
  /** Whether the works are done the other way round in every other round. @default false */
  readonly alternates?: boolean;
}

/** Does the works in turn, several times; their results by name, in the order of the rounds. */
export async function runRounds<Name extends string, Result>(
  works: Readonly<Record<Name, Work<Result>>>,
  { rounds, warmUps = 1, alternates = false }: RoundsOptions,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const names = Object.keys(works) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of alternates && round % 2 !== 0 ? names.toReversed() : names) {
      const result = await works[name](round);
      if (round >= 0) results[name].push(result);
    }
  }
  return results;
}

/** One of several ways to do the same: returns something that depends on all of it. */
export interface Strategy {
  readonly work: () => number;
  /** How often in a round. @default 1 */
  readonly times?: number;
}

/** In milliseconds, by strategy. */
export interface StrategyTimes<Name extends string> {
  readonly rounds: Readonly<Record<Name, readonly number[]>>;
  readonly medians: Readonly<Record<Name, number>>;
  /** The widest gap between a quarter and three quarters of the rounds, relative to the median. */
  readonly spread: number;
}

/** Times strategies in this process. @throws Error when they, or two rounds, do not come to the same */
export async function timeStrategies<Name extends string>(
  strategies: Readonly<Record<Name, Strategy>>,
  options: RoundsOptions = { rounds: 15, warmUps: 2 },
): Promise<StrategyTimes<Name>> {
  const names = Object.keys(strategies) as Name[];
  let agreed: number | undefined;
  const timed = (name: Name) => (): number => {
    const { work, times = 1 } = strategies[name];
    const startMs = performance.now();
    let result = 0;
    for (let time = 0; time < times; time += 1) result = work();
    const elapsedMs = (performance.now() - startMs) / times;
    agreed ??= result;
    if (result !== agreed) throw new Error(`${name} comes to ${result} instead of ${agreed}`);
    return elapsedMs;
  };
  const of = <Value>(valueOf: (name: Name) => Value) =>
    Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
  const rounds = await runRounds(of(timed), options);
  const spreads = names.map(
    (name) => (quantile(rounds[name], 0.75) - quantile(rounds[name], 0.25)) / median(rounds[name]),
  );
  return { rounds, medians: of((name) => median(rounds[name])), spread: Math.max(...spreads) };
}
