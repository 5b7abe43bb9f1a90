/** The two operators: Samsung Welstory, and Shinsegae Food. */
export const VENDORS = ['welstory', 'shinsegae'] as const;

/** A catering operator: Samsung Welstory ("Welstory Plus") or Shinsegae Food ("PlanEAT Choice"). */
export type Vendor = (typeof VENDORS)[number];

/** The operator with this name, or undefined if there is none. */
export function parseVendor(text: string | undefined): Vendor | undefined {
  return VENDORS.find((vendor) => vendor === text);
}

/** The longest id that programs accept from outside. */
export const MAX_RESTAURANT_ID_LENGTH = 100;

/** A staff cafeteria of one operator. */
export interface Restaurant {
  /** The operator that runs it. */
  readonly vendor: Vendor;
  /** The operator's stable id, as text; unique within the vendor. */
  readonly id: string;
  /** As the operator writes it, in Korean. */
  readonly name: string;
  /** English name, if the operator has one. */
  readonly nameEn?: string;
  /** Where it is, from wide to narrow, without the restaurant's own name. */
  readonly location: readonly string[];
  /** The same in English, place by place; a place without an English name stays as in `location`. Absent if none has one. */
  readonly locationEn?: readonly string[];
}

/**
 * The name as one path segment: NFKC, lower case, each run of other characters than letters and digits as one hyphen,
 * none at the ends; a name without letters and digits becomes `restaurant`.
 */
export function restaurantSlug(name: string): string {
  const slug = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'restaurant' : slug;
}
