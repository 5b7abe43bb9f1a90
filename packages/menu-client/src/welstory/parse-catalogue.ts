import { z } from 'zod';
import type { Restaurant } from '../domain/restaurant.ts';
import { code, isHiddenRestaurant, locationOf, text } from '../operator/lenient.ts';
import { readMealRows } from '../operator/meal-code.ts';
import type { Meal, Reading } from '../operator/operator.ts';
import { readRows } from '../operator/readings.ts';
import { parseRows } from './parse-envelope.ts';

const restaurantRow = z
  .object({
    restaurantId: z.unknown(),
    restaurantCode: z.unknown(),
    restaurantName: z.unknown(),
    restaurantDesc: z.unknown(),
  })
  .partial();

const mealRow = z.object({ code: z.unknown(), codeNm: z.unknown() }).partial();

/** GET /api/mypage/rest-list. Each id once; entries that are not places to eat are left out without being counted. */
export function parseRestaurants(value: unknown): Reading<readonly Restaurant[]> {
  const { value: read, droppedRows } = readRows('welstory', parseRows(value), parseRestaurant);
  const byId = new Map<string, Restaurant>();
  for (const restaurant of read) {
    if (!isHiddenRestaurant(restaurant) && !byId.has(restaurant.id)) byId.set(restaurant.id, restaurant);
  }
  return { value: [...byId.values()], droppedRows };
}

/** GET /api/menu/getMealTimeList. */
export function parseMeals(value: unknown): Reading<readonly Meal[]> {
  return readMealRows('welstory', parseRows(value), (item) => {
    const row = mealRow.safeParse(item).data;
    return { code: row?.code, label: row?.codeNm };
  });
}

function parseRestaurant(value: unknown): Restaurant | undefined {
  const row = restaurantRow.safeParse(value).data;
  const id = code(row?.restaurantId) ?? code(row?.restaurantCode);
  const name = text(row?.restaurantName);
  if (id === undefined || name === undefined) return undefined;
  const crumbs = (text(row?.restaurantDesc) ?? '').split(/[|│]/);
  return { vendor: 'welstory', id, name, location: locationOf(crumbs, name) };
}
