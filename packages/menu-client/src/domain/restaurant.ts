export const VENDORS = ['welstory', 'shinsegae'] as const;

/** A catering operator: Samsung Welstory ("Welstory Plus") or Shinsegae Food ("PlanEAT Choice"). */
export type Vendor = (typeof VENDORS)[number];

/** A staff cafeteria of one operator. */
export interface Restaurant {
  readonly vendor: Vendor;
  /** The operator's stable id, as text; unique within the vendor. */
  readonly id: string;
  readonly name: string;
  /** English name, where the operator has one. */
  readonly nameEn?: string;
  /** Where it is, from wide to narrow, without the restaurant's own name. */
  readonly location: readonly string[];
}
