const UNITS = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** Milliseconds as people say them: `30 seconds`, `1 hour`, `500 milliseconds`. */
export function durationInWords(ms: number): string {
  const [size, unit] = UNITS.find(([unitMs]) => ms >= unitMs && ms % unitMs === 0) ?? [1, 'millisecond'];
  const count = ms / size;
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
}
