/** The two operators: Samsung Welstory, and Shinsegae Food. */
export const VENDORS = ['welstory', 'shinsegae'] as const;

/** A catering operator: Samsung Welstory ("Welstory Plus") or Shinsegae Food ("PlanEAT Choice"). */
export type Vendor = (typeof VENDORS)[number];

/** The operator of that name, or undefined for text that names none. */
export function parseVendor(text: string | undefined): Vendor | undefined {
  return VENDORS.find((vendor) => vendor === text);
}

/** The longest id that programs take from outside. */
export const MAX_RESTAURANT_ID_LENGTH = 100;

/** A staff cafeteria of one operator. */
export interface Restaurant {
  /** The operator that runs it. */
  readonly vendor: Vendor;
  /** The operator's stable id, as text; unique within the vendor. */
  readonly id: string;
  /** As the operator writes it, in Korean. */
  readonly name: string;
  /** English name, where the operator has one. */
  readonly nameEn?: string;
  /** Where it is, from wide to narrow, without the restaurant's own name. */
  readonly location: readonly string[];
  /** The same in English, place by place; a place without an English name is as in `location`. Absent where none has one. */
  readonly locationEn?: readonly string[];
}

/**
 * The name as one path segment: NFKC, lower case, runs of anything but letters and digits become one hyphen,
 * none at the ends; a name without any becomes `restaurant`.
 */
export function restaurantSlug(name: string): string {
  const slug = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? 'restaurant' : slug;
}
