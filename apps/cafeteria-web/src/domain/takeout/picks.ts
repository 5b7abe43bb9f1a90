/** How many of what is taken: by `{meal code}.{choice id}`. */
export type Picks = ReadonlyMap<string, number>;

export const NO_PICKS: Picks = new Map();

const MAX_PICKS = 200;
/** Of one thing; the script has the same. */
const MAX_OF_ONE = 9;

/** From a query: what is named more than once is taken as often. */
export function parsePicks(values: readonly string[]): Picks {
  const picks = new Map<string, number>();
  for (const value of values.slice(0, MAX_PICKS))
    picks.set(value, Math.min(MAX_OF_ONE, (picks.get(value) ?? 0) + 1));
  return picks;
}
