export interface Verdict {
  readonly seed: number;
  /** What is wrong, in sentences; empty when everything is right. */
  readonly wrong: readonly string[];
  readonly changes: number;
  readonly events: number;
  readonly snapshots: number;
}

const SHOWN_FAULTS = 20;

/**
 * One line about a seed, and after a failure what is wrong and how to run the seed again.
 * @param details further text of the line
 * @param again the command
 */
export function describeVerdict(
  { seed, wrong, changes, events, snapshots }: Verdict,
  details: string,
  again: string,
): string {
  const counts = `${changes} changes, ${events} events, ${snapshots} snapshots`;
  if (wrong.length === 0) return `converged seed ${seed}: ${counts}, ${details}`;
  const rest = wrong.length - SHOWN_FAULTS;
  return [
    `FAILED seed ${seed}: ${counts}, ${details}`,
    ...wrong.slice(0, SHOWN_FAULTS),
    ...(rest > 0 ? [`and ${rest} more`] : []),
    `again: ${again}`,
  ].join('\n  ');
}
