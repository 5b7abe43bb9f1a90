import type { PeriodError, PeriodStatus } from './period-status.ts';

/** Nutrition per serving. A member that the operator does not give is absent, never 0. */
export interface Nutrition {
  readonly caloriesKcal?: number;
  readonly carbohydratesG?: number;
  readonly proteinG?: number;
  readonly fatG?: number;
  readonly saturatedFatG?: number;
  readonly transFatG?: number;
  readonly sugarG?: number;
  readonly fiberG?: number;
  readonly sodiumMg?: number;
  readonly cholesterolMg?: number;
  readonly calciumMg?: number;
}

/** One dish of a menu. */
export interface MenuComponent {
  readonly name: string;
  readonly nameEn?: string;
  /** True for the dish that the menu is named after. */
  readonly main: boolean;
  readonly nutrition?: Nutrition;
}

/** Photo of a menu at the operator's host; pages show it through their own proxy. */
export interface MenuPhoto {
  readonly url: string;
  readonly thumbnailUrl?: string;
}

/** One thing that can be taken from a bundle, by itself. */
export interface BundleItem {
  /** Unique within the bundle; never an index. */
  readonly id: string;
  readonly name: string;
  /** Of this item alone. */
  readonly nutrition?: Nutrition;
}

/** What people choose from where a take-out menu is not one thing. */
export interface Bundle {
  /** As of a period: `empty` where the operator names no items, `failed` where they could not be read. */
  readonly status: PeriodStatus;
  /** In the operator's order; empty when `empty` or `failed`. */
  readonly items: readonly BundleItem[];
  /** When the items were read (RFC 3339, UTC); absent where they came with the menu, and when `failed`. */
  readonly fetchedAt?: string;
  /** Present when `failed` or `stale`. */
  readonly error?: PeriodError;
}

/** What one corner serves at one meal: a course with its dishes. */
export interface Menu {
  /** Stable within the restaurant's day; never an index. */
  readonly id: string;
  readonly name: string;
  readonly nameEn?: string;
  /** Name of the counter, as the operator writes it. */
  readonly corner?: string;
  readonly serving: 'take-in' | 'take-out';
  readonly soldOut: boolean;
  /** The dishes, the main one first; empty when the operator names nothing but the menu itself. */
  readonly components: readonly MenuComponent[];
  /** Of the whole menu; absent when unknown, and of a bundle: nobody eats everything that it offers. */
  readonly nutrition?: Nutrition;
  /** Present where people choose from several things: of each of them alone. */
  readonly bundle?: Bundle;
  readonly photo?: MenuPhoto;
}
