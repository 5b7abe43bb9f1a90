/** Value of one sample of the exposition format; undefined where there is none. */
export function valueOf(
  metrics: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const line = metrics
    .split('\n')
    .find(
      (candidate) =>
        new RegExp(`^${name}(?:\\{| )`).test(candidate) &&
        Object.entries(labels).every(([label, value]) => candidate.includes(`${label}="${value}"`)),
    );
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
}
