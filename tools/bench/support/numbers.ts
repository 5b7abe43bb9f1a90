/** The results of a function for 0, 1, 2 and so on. */
export const times = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, number) => make(number));

/** The value that this share of all is below; NaN where there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** What each round of one is of the same round of the other. */
export const ratiosOf = (ours: readonly number[], peer: readonly number[]): readonly number[] =>
  ours.map((value, round) => value / (peer[round] ?? Number.NaN));

/** The least and the greatest: `1.21 to 2.83`. */
export const spreadOf = (values: readonly number[], digits = 2): string =>
  `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
