import type { PeriodError, PeriodStatus } from './period-status.ts';

/** Nutrition per serving. A member that the operator does not give is absent, never 0. */
export interface Nutrition {
  /** Energy in kcal. */
  readonly caloriesKcal?: number;
  /** Carbohydrates in g. */
  readonly carbohydratesG?: number;
  /** Protein in g. */
  readonly proteinG?: number;
  /** Fat in g, saturated and trans fat included. */
  readonly fatG?: number;
  /** Saturated fat in g. */
  readonly saturatedFatG?: number;
  /** Trans fat in g. */
  readonly transFatG?: number;
  /** Sugars in g, a part of the carbohydrates. */
  readonly sugarG?: number;
  /** Dietary fibre in g. */
  readonly fiberG?: number;
  /** Sodium in mg. */
  readonly sodiumMg?: number;
  /** Cholesterol in mg. */
  readonly cholesterolMg?: number;
  /** Calcium in mg. */
  readonly calciumMg?: number;
}

/** One dish of a menu. */
export interface MenuComponent {
  /** As the operator writes it, in Korean. */
  readonly name: string;
  /** English name, where the operator has one. */
  readonly nameEn?: string;
  /** True for the dish that the menu is named after. */
  readonly main: boolean;
  /** Of this dish alone; absent when unknown. */
  readonly nutrition?: Nutrition;
}

/** Photo of a menu at the operator's host; pages show it through their own proxy. */
export interface MenuPhoto {
  /** The photo in its full size. */
  readonly url: string;
  /** A smaller one, if the operator has it. */
  readonly thumbnailUrl?: string;
}

/** One thing of a bundle that can be taken by itself. */
export interface BundleItem {
  /** Unique within the bundle; never an index. */
  readonly id: string;
  /** As the operator writes it, in Korean. */
  readonly name: string;
  /** For this item alone. */
  readonly nutrition?: Nutrition;
}

/** What people choose from when a take-out menu is not one thing. */
export interface Bundle {
  /** As for a period: `empty` when the operator names no items, `failed` when they could not be read. */
  readonly status: PeriodStatus;
  /** In the operator's order; empty when `empty` or `failed`. */
  readonly items: readonly BundleItem[];
  /** When the items were read (RFC 3339, UTC); absent when they came with the menu, and when `failed`. */
  readonly fetchedAt?: string;
  /** Present when `failed` or `stale`. */
  readonly error?: PeriodError;
}

/** What one corner serves at one meal: a course with its dishes. */
export interface Menu {
  /** Stable within the restaurant's day; never an index. */
  readonly id: string;
  /** As the operator writes it, in Korean; usually that of the main dish. */
  readonly name: string;
  /** English name, where the operator has one. */
  readonly nameEn?: string;
  /** Name of the counter, as the operator writes it. */
  readonly corner?: string;
  /** Whether it is eaten in the cafeteria or taken away. */
  readonly serving: 'take-in' | 'take-out';
  /** Whether the operator says that it is sold out. */
  readonly soldOut: boolean;
  /** The dishes, the main one first; empty when the operator names nothing but the menu itself. */
  readonly components: readonly MenuComponent[];
  /** For the whole menu; absent when unknown, and for a bundle: nobody eats everything that it offers. */
  readonly nutrition?: Nutrition;
  /** Present when people choose from several things, with the nutrition of each. */
  readonly bundle?: Bundle;
  /** Absent when the operator has none. */
  readonly photo?: MenuPhoto;
}
