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
