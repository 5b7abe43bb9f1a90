/** One strategy: does the whole work once and returns something that depends on all of it. */
export type Work = () => number;

const ROUNDS = 15;

/**
 * Median time of each strategy in milliseconds, measured in alternating rounds of one process, after two warm-up rounds.
 * The spread is the widest gap between a quarter and three quarters of the rounds, relative to the median.
 */
export function measure<Name extends string>(
  works: Readonly<Record<Name, { readonly work: Work; readonly times?: number }>>,
): { readonly medianMs: Record<Name, number>; readonly spread: number } {
  const names = Object.keys(works) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const results = new Map<Name, number>();
  for (let round = -2; round < ROUNDS; round += 1) {
    for (const name of names) {
      const { work, times = 1 } = works[name];
      const start = performance.now();
      let result = 0;
      for (let time = 0; time < times; time += 1) result = work();
      const elapsedMs = (performance.now() - start) / times;
      if (results.has(name) && results.get(name) !== result) throw new Error(`${name} is not repeatable`);
      results.set(name, result);
      if (round >= 0) samples[name].push(elapsedMs);
    }
  }
  if (new Set(results.values()).size > 1) {
    throw new Error(`the strategies disagree: ${JSON.stringify([...results])}`);
  }
  const quantile = (name: Name, share: number): number => {
    const sorted = samples[name].toSorted((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  };
  const spreads = names.map((name) => (quantile(name, 0.75) - quantile(name, 0.25)) / quantile(name, 0.5));
  return {
    medianMs: Object.fromEntries(names.map((name) => [name, quantile(name, 0.5)])) as Record<Name, number>,
    spread: Math.max(...spreads),
  };
}

/** Prints one result for people and one for the runner. */
export function report(bench: string, want: 'at least' | 'at most', ratio: number, bar: number): void {
  const holds = want === 'at least' ? ratio >= bar : ratio <= bar;
  console.log(`${bench}: ${ratio.toFixed(2)}, wanted ${want} ${bar}`);
  console.log(
    JSON.stringify({ bench: `rostack-core/${bench}`, ratio: Number(ratio.toFixed(3)), bar, want, holds }),
  );
}
