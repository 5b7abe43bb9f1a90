import type { Vendor } from '../domain/restaurant.ts';

/** What was just read from an operator: one restaurant's day, or the list of restaurants. */
export type MenuReading =
  | {
      readonly kind: 'day';
      readonly vendor: Vendor;
      readonly restaurantId: string;
      /** `YYYY-MM-DD`, Asia/Seoul. */
      readonly date: string;
    }
  | { readonly kind: 'restaurants'; readonly vendor: Vendor };
