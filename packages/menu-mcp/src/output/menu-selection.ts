import {
  type Choice,
  choicesOf,
  type DailyMenu,
  isWholeMeal,
  type MealCode,
  type MealPeriod,
  mealsFromNow,
  type Nutrition,
} from 'menu-client';

/** Meals by name, in the order of their codes. */
export const MEALS = ['breakfast', 'lunch', 'dinner', 'late-night', 'snack', 'dawn'] as const;
export type MealName = (typeof MEALS)[number];

export const VIEWS = ['gallery', 'take-in', 'takeout'] as const;

/** What menus can be sorted by, with the nutrient that decides. */
export const SORTS = {
  calories: 'caloriesKcal',
  protein: 'proteinG',
  carbohydrates: 'carbohydratesG',
  fat: 'fatG',
  sugar: 'sugarG',
  sodium: 'sodiumMg',
} as const satisfies Record<string, keyof Nutrition>;

/** Which menus of a day are asked for, and in which order. */
export interface MenuSelection {
  /** @default every meal */
  readonly meal?: MealName | undefined;
  /** `gallery` is every menu. @default 'gallery' */
  readonly view?: (typeof VIEWS)[number] | undefined;
  /** By protein the most comes first, otherwise the least, whole meals before bundles; what is unknown comes last. @default the operator's order */
  readonly sort?: keyof typeof SORTS | undefined;
}

/** The meal of a code; undefined for one of the operator's own codes, where only the label names the meal. */
export function mealName(code: MealCode): MealName | undefined {
  return MEALS[Number(code) - 1];
}

/** A meal with what can be chosen from it: whole menus, and single items of take-out bundles. */
export interface SelectedPeriod extends Omit<MealPeriod, 'menus'> {
  readonly choices: readonly Choice[];
}

export interface SelectedDay extends Omit<DailyMenu, 'periods'> {
  readonly periods: readonly SelectedPeriod[];
}

function compareBy(sort: keyof typeof SORTS): (a: Choice, b: Choice) => number {
  const rank = ({ nutrition }: Choice): number => {
    const amount = nutrition?.[SORTS[sort]];
    if (amount === undefined) return Number.POSITIVE_INFINITY;
    return sort === 'protein' ? -amount : amount;
  };
  // The least of anything is in a coffee, which is no meal.
  const group = (choice: Choice): number => (sort === 'protein' || isWholeMeal(choice.menu) ? 0 : 1);
  // Infinity minus infinity is NaN.
  return (a, b) => group(a) - group(b) || (rank(a) === rank(b) ? 0 : rank(a) - rank(b));
}

const isUnread = ({ status }: MealPeriod): boolean => status === 'failed' || status === 'loading';

/** A meal of a day of which nothing is read: whether it has the meal is not known either. Undefined for any other day. */
export function unreadMeal({ periods }: Pick<DailyMenu, 'periods'>, meal: MealName): MealPeriod | undefined {
  const [first] = periods;
  if (first === undefined || !periods.every(isUnread)) return undefined;
  return { ...first, code: String(MEALS.indexOf(meal) + 1), label: meal };
}

/** The selected part of the day, today's present meal first and those that are over last. @param nowMs ms since 1970 */
export function selectMenus(
  day: DailyMenu,
  { meal, view = 'gallery', sort }: MenuSelection,
  nowMs: number,
): SelectedDay {
  const serving = view === 'takeout' ? 'take-out' : 'take-in';
  const { coming, over } = mealsFromNow(day, nowMs);
  const listed = [...coming, ...over].filter(({ code }) => meal === undefined || mealName(code) === meal);
  const unread = meal === undefined || listed.length > 0 ? undefined : unreadMeal(day, meal);
  const periods = (unread === undefined ? listed : [unread]).map(({ menus, ...period }) => {
    const inView = view === 'gallery' ? menus : menus.filter((menu) => menu.serving === serving);
    const choices = choicesOf(inView);
    return { ...period, choices: sort === undefined ? choices : choices.toSorted(compareBy(sort)) };
  });
  return { ...day, periods };
}
