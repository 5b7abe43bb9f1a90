export interface Result {
  readonly ratio: number;
  readonly bar: number;
  readonly want: 'at least' | 'at most';
  /** What people are told beside it. @default nothing */
  readonly note?: string;
  /** For the history, each with its unit in its name. @default none */
  readonly figures?: Readonly<Record<string, number>>;
}

/** Prints a result for people, and the JSON line for the runner. @param bench its name: `package/name` */
export function report(bench: string, { ratio, bar, want, note = '', figures }: Result): void {
  const holds = want === 'at least' ? ratio >= bar : ratio <= bar;
  console.log(`${bench}: ${ratio.toFixed(3)}, wanted ${want} ${bar}${note === '' ? '' : ` (${note})`}`);
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(4)), bar, want, holds, figures }));
}
