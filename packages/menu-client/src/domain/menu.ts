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
  /** Of the whole menu; absent when unknown. */
  readonly nutrition?: Nutrition;
  readonly photo?: MenuPhoto;
}
