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
