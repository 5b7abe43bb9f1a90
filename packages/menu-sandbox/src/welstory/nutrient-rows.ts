import { type DishNutrition, sumNutrition } from '../corpus/dish.ts';
import type { Course } from '../kitchen/course.ts';
import { toText } from './numbers.ts';

function totals(nutrition: DishNutrition, known: boolean) {
  return {
    totCho: toText(nutrition.carbohydratesG, known),
    totSugar: toText(nutrition.sugarG, known),
    totFib: toText(nutrition.fiberG, known),
    totFat: toText(nutrition.fatG, known),
    totProtein: toText(nutrition.proteinG, known),
    totNa: toText(nutrition.sodiumMg, known),
    totCalcium: toText(nutrition.calciumMg, known),
  };
}

/** Rows of `GET /api/meal/detail`: `kcal` of the dish, totals of the course on every row. */
export function toDetailRows(course: Course) {
  const sum = sumNutrition(course.dishes);
  return course.dishes.map((dish, index) => ({
    menuName: dish.name,
    menuNameEng: dish.nameEn,
    typicalMenu: index === 0 ? 'Y' : 'N',
    kcal: toText(dish.nutrition.caloriesKcal, course.nutritionKnown),
    totKcal: toText(sum.caloriesKcal, course.nutritionKnown),
    ...totals(sum, course.nutritionKnown),
  }));
}

/** Rows of `GET /api/meal/detail/nutrient`: all values are those of the dish. */
export function toNutrientRows(course: Course) {
  return course.dishes.map((dish, index) => ({
    menuName: dish.name,
    typicalMenu: index === 0 ? 'Y' : 'N',
    kcal: toText(dish.nutrition.caloriesKcal, course.nutritionKnown),
    ...totals(dish.nutrition, course.nutritionKnown),
  }));
}
