/** How many letters have to be put in, left out, replaced or swapped with their neighbour to make one name of the other. */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (older[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}

/** The name that was probably meant: the one that differs least, in at most `maxEdits` letters. */
export function closestName(written: string, names: readonly string[], maxEdits: number): string | undefined {
  let closest: string | undefined;
  let fewest = maxEdits + 1;
  for (const name of names) {
    if (Math.abs(name.length - written.length) >= fewest) continue;
    const edits = editDistance(written, name);
    if (edits < fewest) [closest, fewest] = [name, edits];
  }
  return closest;
}
