import { type Dish, sumNutrition } from '../corpus/dish.ts';
import type { Course } from '../kitchen/course.ts';
import { hashKeys } from '../seeded/random.ts';
import { hallNo, type MealRowContext, photoParts, toText } from './meal-rows.ts';

/** A row of `mealList` as recordings of `GET /api/meal` have it. */
export interface RecordedMealRow {
  readonly menuName: string;
  readonly menuCode: string;
  readonly menuId: string;
  readonly menuSeq: number;
  readonly hallNo: string;
  readonly menuDt: string;
  readonly menuCourseType: string;
  readonly menuMealType: string;
  readonly restaurantCode: string;
  readonly courseTxt: string;
  readonly typicalMenu: 'Y' | 'N' | '메인' | '서브';
  readonly setMenuName: string | null;
  readonly setName: string | null;
  readonly subMenuTxt: string | null;
  readonly subEngMenuTxt: string | null;
  readonly menuNameEng: string | null;
  readonly engMenuName: string | null;
  readonly engSetMenuName: string | null;
  readonly salesType: string;
  readonly soldOutYn: 'Y' | null;
  readonly soldStat: null;
  readonly takeOutCnt: number;
  readonly evalCnt: number;
  readonly likeCnt: number;
  readonly photoUrl: string | null;
  readonly photoCd: string | null;
  readonly kcal: string;
  readonly sumKcal: string;
  readonly sumProtein: string;
  readonly sumFat: string;
  readonly sumNa: string;
  readonly sumSugar: string;
}

/** A row of `smartOrderMenuList`. */
export interface SmartOrderRow {
  readonly menuName: string;
  readonly smartSubMenuTxt: string | null;
  readonly sumKcal: string;
  readonly smartQuantity: number;
  readonly smartRemainingQuantity: number;
  readonly smartStatus: null;
}

/** `data` of `GET /api/meal`: either list may be empty or null while the other is full. */
export interface RecordedMeal {
  readonly mealList: readonly RecordedMealRow[] | null;
  readonly smartOrderMenuList: readonly SmartOrderRow[] | null;
}

/**
 * How a restaurant's answers are written:
 * `dishes` a row for each dish, Y and N; `words` the same with 메인 and 서브, the main dish last, other English names;
 * `sides` a row for each course, and the dishes that can be ordered ahead a second time; `smart` those in their own list
 * alone.
 */
export type RecordedStyle = 'dishes' | 'words' | 'sides' | 'smart';

const STYLES: readonly RecordedStyle[] = ['dishes', 'words', 'sides', 'smart'];

/** The style of a restaurant: always the same one. */
export function recordedStyle(restaurantId: string): RecordedStyle {
  return STYLES[hashKeys('style', restaurantId) % STYLES.length] ?? 'dishes';
}

/** `typicalMenu` of a row, as the restaurant writes it. */
export function typicalMenu(restaurantId: string, main: boolean): RecordedMealRow['typicalMenu'] {
  if (recordedStyle(restaurantId) === 'words') return main ? '메인' : '서브';
  return main ? 'Y' : 'N';
}

/** The courses of a meal as the restaurant's recordings have them. */
export function toRecordedMeal(courses: readonly Course[], context: MealRowContext): RecordedMeal {
  const ahead = courses.filter(isOneServing).map(toSmartRow);
  const inOneRow = (course: Course) => courseRow(course, context);
  const inRows = (course: Course) => dishRows(course, context);
  const style = recordedStyle(context.restaurant.id);
  if (style === 'dishes') return { mealList: courses.flatMap(inRows), smartOrderMenuList: null };
  if (style === 'words')
    return { mealList: courses.flatMap((course) => inRows(course).toReversed()), smartOrderMenuList: [] };
  if (style === 'sides') return { mealList: courses.map(inOneRow), smartOrderMenuList: ahead };
  const others = courses.filter((course) => !isOneServing(course));
  return { mealList: others.length === 0 ? null : others.map(inOneRow), smartOrderMenuList: ahead };
}

/** Only what one person eats can be ordered ahead. */
function isOneServing(course: Course): boolean {
  return course.takeOut === undefined;
}

function toSmartRow(course: Course): SmartOrderRow {
  const [main, ...sides] = course.dishes;
  const quantity = 50 + (hashKeys('quantity', main?.name ?? '') % 150);
  return {
    menuName: main?.name ?? '',
    smartSubMenuTxt: sides.length === 0 ? null : sides.map(({ name }) => name).join(','),
    sumKcal: toText(sumNutrition(course.dishes).caloriesKcal, course.nutritionKnown),
    smartQuantity: quantity,
    smartRemainingQuantity: course.soldOut ? 0 : 1 + (quantity % 40),
    smartStatus: null,
  };
}

function dishRows(course: Course, context: MealRowContext): readonly RecordedMealRow[] {
  if (course.takeOut !== undefined) return [courseRow(course, context)];
  return course.dishes.map((dish) => row(course, dish, context));
}

/** A course in one row: sides divided by slashes or new lines, in English too. */
function courseRow(course: Course, context: MealRowContext): RecordedMealRow {
  const [main, ...sides] = course.dishes;
  if (main === undefined) throw new RangeError('a course has at least one dish');
  const separator = course.takeOut === undefined ? (course.id.charCodeAt(0) % 2 === 0 ? '/' : '\n') : '||';
  const written = (names: readonly string[]) => (names.length === 0 ? null : names.join(separator));
  return {
    ...row(course, main, context),
    setName: `${main.name} 정식`,
    subMenuTxt: written(sides.map(({ name }) => name)),
    subEngMenuTxt: written(sides.map(({ nameEn }) => nameEn)),
    menuNameEng: null,
    engMenuName: null,
    engSetMenuName: main.nameEn,
  };
}

function row(course: Course, dish: Dish, context: MealRowContext): RecordedMealRow {
  const { restaurant, meal, date } = context;
  const style = recordedStyle(restaurant.id);
  const sum = sumNutrition(course.items ?? course.dishes);
  const known = course.nutritionKnown;
  const number = hashKeys('dish', dish.name);
  return {
    menuName: dish.name,
    menuCode: String(1_000_000_000 + (number % 1_000_000_000)),
    menuId: `M${String(number % 10_000_000).padStart(7, '0')}`,
    menuSeq: hashKeys(restaurant.id, date, meal.code, course.id, dish.name),
    hallNo: hallNo(restaurant),
    menuDt: date.replaceAll('-', ''),
    menuCourseType: course.id,
    menuMealType: meal.code,
    restaurantCode: restaurant.id,
    courseTxt: course.corner,
    typicalMenu: typicalMenu(restaurant.id, dish === course.dishes[0]),
    setMenuName: null,
    setName: null,
    subMenuTxt: null,
    subEngMenuTxt: null,
    menuNameEng: style === 'words' ? null : dish.nameEn,
    engMenuName: style === 'words' ? dish.nameEn : null,
    engSetMenuName: null,
    salesType: course.takeOut === 'flag' ? 'T1' : 'L1',
    soldOutYn: course.soldOut && course.takeOut === undefined && style !== 'sides' ? 'Y' : null,
    soldStat: null,
    takeOutCnt: 0,
    evalCnt: number % 40,
    likeCnt: number % 25,
    ...photoParts(course, context.photoBaseUrl),
    kcal: toText(dish.nutrition.caloriesKcal, known),
    sumKcal: toText(sum.caloriesKcal, known),
    sumProtein: toText(sum.proteinG, known),
    sumFat: toText(sum.fatG, known),
    sumNa: toText(sum.sodiumMg, known),
    sumSugar: toText(sum.sugarG, known),
  };
}
