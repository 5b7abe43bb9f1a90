import type { Meal, SandboxRestaurant } from '../catalogue/restaurant.ts';
import { type Dish, type DishNutrition, sumNutrition } from '../corpus/dish.ts';
import type { Course } from '../kitchen/course.ts';
import { hashKeys } from '../seeded/random.ts';

/** A row of `GET /api/meal`. */
export interface MealRow {
  readonly menuSeq: number;
  readonly restaurantName: string;
  readonly restaurantCode: string;
  readonly hallNo: string;
  readonly menuDt: string;
  readonly menuCourseType: string;
  readonly menuCode: string;
  readonly menuMealType: string;
  readonly menuMealTypeTxt: string;
  readonly courseTxt: string;
  readonly setMenuName: string | null;
  readonly menuName: string;
  readonly menuNameEng: string | null;
  readonly subMenuTxt: string | null;
  readonly salesType: string;
  readonly photoUrl: string | null;
  readonly photoCd: string | null;
  readonly typicalMenu: 'Y' | 'N';
  readonly kcal: string;
  readonly sumKcal: string;
  readonly sumProtein: string;
  readonly sumFat: string;
  readonly sumNa: string;
  readonly sumSugar: string | null;
}

export interface MealRowContext {
  readonly restaurant: SandboxRestaurant;
  readonly meal: Meal;
  readonly date: string;
  /** Base URL of the photo host's paths, with a slash at the end. */
  readonly photoBaseUrl: string;
}

// Made once: creating one costs more than formatting a thousand numbers.
const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** The operator writes every number as text, with thousands commas. */
export function toText(value: number, known = true): string {
  return known ? numbers.format(value) : '0';
}

/** One hall per building; the last digits of the id differ. */
export function hallNo(restaurant: SandboxRestaurant): string {
  return `E${restaurant.id.slice(-3)}`;
}

/** The two parts of a photo's address: both, only the first, only the second, or neither. */
export function photoParts(course: Course, baseUrl: string): Pick<MealRow, 'photoUrl' | 'photoCd'> {
  if (course.photo === undefined)
    return hashKeys(course.id) % 2 === 0 ? { photoUrl: null, photoCd: null } : { photoUrl: '', photoCd: '' };
  const file = `${course.photo}.png`;
  const variant = hashKeys('photo', course.photo) % 8;
  if (variant === 0) return { photoUrl: baseUrl + file, photoCd: '' };
  if (variant === 1) return { photoUrl: null, photoCd: baseUrl + file };
  return { photoUrl: baseUrl, photoCd: file };
}

/** A course in one row has its dishes in one text; take-out courses separate them differently. */
function joinDishes(course: Course, names: readonly string[]): string {
  const variant = hashKeys('separator', course.id, names[0] ?? '') % 3;
  if (course.takeOut !== undefined && variant !== 0) return names.join('||');
  return names.join(variant === 1 ? '<br>' : variant === 2 ? ', ' : ',');
}

function toRow(course: Course, dish: Dish, context: MealRowContext) {
  const { restaurant, meal, date } = context;
  // For a bundle, the sum of everything that it offers.
  const sum = sumNutrition(course.items ?? course.dishes);
  const known = course.nutritionKnown;
  return {
    menuSeq: hashKeys(restaurant.id, date, meal.code, course.id, dish.name),
    restaurantName: restaurant.name,
    restaurantCode: restaurant.id,
    hallNo: hallNo(restaurant),
    menuDt: date.replaceAll('-', ''),
    menuCourseType: course.id,
    menuCode: String(1_000_000_000 + (hashKeys('dish', dish.name) % 1_000_000_000)),
    menuMealType: meal.code,
    menuMealTypeTxt: meal.label,
    courseTxt: course.corner,
    setMenuName: null,
    menuName: dish.name,
    menuNameEng: dish.nameEn,
    subMenuTxt: null,
    salesType: course.takeOut === 'flag' ? 'T1' : 'L1',
    ...photoParts(course, context.photoBaseUrl),
    typicalMenu: dish === course.dishes[0] ? 'Y' : 'N',
    kcal: toText(dish.nutrition.caloriesKcal, known),
    sumKcal: toText(sum.caloriesKcal, known),
    sumProtein: toText(sum.proteinG, known),
    sumFat: toText(sum.fatG, known),
    sumNa: toText(sum.sodiumMg, known),
    sumSugar: known ? toText(sum.sugarG) : null,
  } satisfies MealRow;
}

/** Rows of one course: one for each dish, or one for all, with the side dishes in `subMenuTxt`. */
export function toMealRows(course: Course, context: MealRowContext): readonly MealRow[] {
  const [main] = course.dishes;
  if (main === undefined) return [];
  const variant = hashKeys('rows', context.restaurant.id, course.id) % 4;
  if (variant === 0) return course.dishes.map((dish) => toRow(course, dish, context));
  const listed = variant === 1 ? course.dishes.slice(1) : course.dishes;
  const names = listed.map((dish) => dish.name);
  return [
    {
      ...toRow(course, main, context),
      setMenuName: variant === 2 ? `${main.name} 정식` : null,
      menuNameEng: variant === 3 ? null : main.nameEn,
      subMenuTxt: names.length === 0 ? null : joinDishes(course, names),
    },
  ];
}

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
  const dishes = course.items ?? course.dishes;
  const sum = sumNutrition(dishes);
  return dishes.map((dish, index) => ({
    menuName: dish.name,
    menuNameEng: dish.nameEn,
    typicalMenu: index === 0 ? 'Y' : 'N',
    kcal: toText(dish.nutrition.caloriesKcal, course.nutritionKnown),
    totKcal: toText(sum.caloriesKcal, course.nutritionKnown),
    ...totals(sum, course.nutritionKnown),
  }));
}

function toNutrientRow(dish: Dish, index: number, known: boolean) {
  return {
    menuName: dish.name,
    typicalMenu: index === 0 ? 'Y' : 'N',
    kcal: toText(dish.nutrition.caloriesKcal, known),
    ...totals(dish.nutrition, known),
  };
}

/**
 * Rows of `GET /api/meal/detail/nutrient`: all values are those of the dish. A bundle has its items, usually after a row
 * that repeats the bundle's own name with only zeros.
 */
export function toNutrientRows(course: Course) {
  const { dishes, items, takeOut, nutritionKnown } = course;
  if (items === undefined) return dishes.map((dish, index) => toNutrientRow(dish, index, nutritionKnown));
  const [named] = dishes;
  const repeats = named !== undefined && takeOut !== 'flag';
  return [
    ...(repeats ? [toNutrientRow(named, 0, false)] : []),
    ...items.map((item, index) => toNutrientRow(item, repeats ? index + 1 : index, true)),
  ];
}
