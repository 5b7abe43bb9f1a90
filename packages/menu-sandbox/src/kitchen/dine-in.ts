import type { Cuisine } from '../catalogue/restaurant.ts';
import type { Dish } from '../corpus/dish.ts';
import { MAINS } from '../corpus/mains.ts';
import { DESSERTS, KIMCHIS, RICES, SIDES, SOUPS } from '../corpus/side-dishes.ts';
import { hashKeys, type Random } from '../seeded/random.ts';

/** A dish this rich in carbohydrates comes with its own rice, noodles or bread. */
const OWN_STAPLE_G = 40;

/** The course and the corner to plan. */
export interface Slot {
  /** Different for each corner. */
  readonly corner: string;
  readonly cuisine: Cuisine;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Meals of one day have different dishes. */
  readonly mealCode: string;
}

/** Uses the whole list before a dish is repeated. Each corner starts elsewhere in the list, and each meal is a sixth of it ahead. */
function mainOf({ corner, cuisine, day, mealCode }: Slot): Dish {
  const mains = MAINS[cuisine];
  const length = mains.length;
  const step = [7, 11, 13, 17].find((candidate) => length % candidate !== 0) ?? 1;
  const ahead = Math.floor((Number(mealCode) * length) / 6);
  const index = (((hashKeys(corner) + ahead + day * step) % length) + length) % length;
  return mains[index] as Dish;
}

/** A main dish with what a Korean cafeteria serves with it: five to eight dishes. */
export function planDineIn(random: Random, slot: Slot): readonly Dish[] {
  const { cuisine } = slot;
  const main = mainOf(slot);
  const hasStaple = main.nutrition.carbohydratesG >= OWN_STAPLE_G;
  const isSoup = cuisine === 'soup' || (cuisine === 'noodle' && main.nutrition.sodiumMg > 1500);
  return [
    main,
    ...(hasStaple ? [] : [random.pick(RICES.slice(0, -1))]),
    ...(isSoup ? [] : [random.pick(cuisine === 'western' ? SOUPS.slice(-1) : SOUPS.slice(0, -1))]),
    ...random.sample(SIDES, hasStaple ? 2 : 3),
    random.pick(KIMCHIS),
    ...(random.chance(0.6) ? [random.pick(DESSERTS)] : []),
  ];
}
