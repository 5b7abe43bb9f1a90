/** The known name closest to a mistyped one; undefined if none is close enough. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const [best] = known
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** Insertions, deletions, substitutions and swaps of neighbours between two texts (optimal string alignment). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const least = Math.min(substitution, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(isSwap ? Math.min(least, (beforeLast[column - 2] ?? 0) + 1) : least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
