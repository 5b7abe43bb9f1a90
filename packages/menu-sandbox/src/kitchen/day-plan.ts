import type { Corner, Meal, SandboxRestaurant } from '../catalogue/restaurant.ts';
import { dayNumber, isDayOff } from '../seeded/calendar.ts';
import { createRandom, type Random } from '../seeded/random.ts';
import { type Course, TAKE_OUT_FORMS } from './course.ts';
import { planDineIn } from './dine-in.ts';
import { planTakeOut } from './take-out.ts';

/** What a restaurant plans for one meal of one day. */
export interface MealPlan {
  /** Which meal, and what the restaurant calls it. */
  readonly meal: Meal;
  /** Empty when closed, or when the meal is not published. */
  readonly courses: readonly Course[];
}

const SMALL_MEALS: ReadonlySet<Meal['code']> = new Set(['1', '4', '5', '6']);
const UNPUBLISHED = 0.04;

/** Small meals have two corners, lunch has all; dinner leaves out one if there are more than three. */
function openCorners(corners: readonly Corner[], meal: Meal): readonly Corner[] {
  if (SMALL_MEALS.has(meal.code)) return corners.slice(0, 2);
  return meal.code === '3' && corners.length > 3 ? corners.slice(0, -1) : corners;
}

function describeCourse(random: Random, photo: string): Pick<Course, 'soldOut' | 'nutritionKnown' | 'photo'> {
  return {
    soldOut: random.chance(0.03),
    nutritionKnown: random.chance(0.95),
    ...(random.chance(0.75) ? { photo } : {}),
  };
}

/** The courses of one meal; the same for the same seed, restaurant, date and meal. */
export function planMeal(seed: string, restaurant: SandboxRestaurant, date: string, meal: Meal): MealPlan {
  if (isDayOff(date) && !restaurant.openEveryDay) return { meal, courses: [] };
  const key = [seed, restaurant.vendor, restaurant.id, meal.code];
  const random = createRandom(...key, date);
  if (random.chance(UNPUBLISHED)) return { meal, courses: [] };
  const day = dayNumber(date);
  const courses: Course[] = [];
  const add = (course: Pick<Course, 'corner' | 'dishes' | 'takeOut' | 'items'>) => {
    const id = String.fromCharCode(65 + courses.length).repeat(2);
    const photo = `${date.replaceAll('-', '')}-${restaurant.id.replaceAll(/\W+/g, '_')}-${meal.code}-${id}`;
    const described = describeCourse(random, photo);
    const nutritionKnown = described.nutritionKnown || course.takeOut === 'heavy';
    courses.push({ id, ...course, ...described, nutritionKnown });
  };
  for (const corner of openCorners(restaurant.corners, meal)) {
    const { name, cuisine } = corner;
    const slot = { corner: [seed, restaurant.id, name].join('/'), cuisine, day, mealCode: meal.code };
    add({ corner: name, dishes: planDineIn(random, slot) });
  }
  if (restaurant.takeOutCorner !== undefined) {
    for (const takeOut of random.sample(TAKE_OUT_FORMS, random.int(2, 4)))
      add({ corner: restaurant.takeOutCorner, ...planTakeOut(random, takeOut), takeOut });
  }
  return { meal, courses };
}

/** All meals of a restaurant's day, by meal code. */
export function planDay(seed: string, restaurant: SandboxRestaurant, date: string): readonly MealPlan[] {
  return restaurant.meals.map((meal) => planMeal(seed, restaurant, date, meal));
}
