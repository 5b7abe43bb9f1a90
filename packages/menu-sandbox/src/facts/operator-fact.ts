import type { Vendor } from '../catalogue/restaurant.ts';

/** What is known about one member of an operator's answers. */
export interface OperatorFact {
  /** The operator whose answers have it. */
  readonly operator: Vendor;
  /** Path of the call, as the operator's own. */
  readonly path: string;
  /** Where in the answer the member is, such as `data.mealList[]`; empty for the answer itself. */
  readonly within: string;
  /** Its name. */
  readonly member: string;
  /** What it means. */
  readonly meaning: string;
  /**
   * `recorded`: in recordings of live answers, which are published; `public clients`: several published clients read it.
   */
  readonly source: 'recorded' | 'public clients';
  /** Why nothing is read from it; absent for what a client should read. */
  readonly unused?: string;
}

/** A member as the tables have it: its meaning, then why it is not used. */
export type FactRow = readonly [member: string, meaning: string, unused?: string];

/** Facts about the members of one object of an answer. */
export function factsOf(
  place: Pick<OperatorFact, 'operator' | 'path' | 'within' | 'source'>,
  rows: readonly FactRow[],
): readonly OperatorFact[] {
  return rows.map(([member, meaning, unused]) => ({
    ...place,
    member,
    meaning,
    ...(unused === undefined ? {} : { unused }),
  }));
}
