import type { Restaurant } from '../domain/restaurant.ts';
import { asRow, code, isHiddenRestaurant, locationOf, type Row, text } from '../operator/lenient.ts';
import { readMealRows } from '../operator/meal-code.ts';
import type { Meal, Reading } from '../operator/operator.ts';
import { readRows } from '../operator/readings.ts';
import { parseRows } from './parse-envelope.ts';

type RestaurantRow = Row<'restaurantId' | 'restaurantCode' | 'restaurantName' | 'restaurantDesc'>;

type MealRow = Row<'code' | 'codeNm'>;

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
    const row: MealRow | undefined = asRow(item);
    return { code: row?.code, label: row?.codeNm };
  });
}

function parseRestaurant(value: unknown): Restaurant | undefined {
  const row: RestaurantRow | undefined = asRow(value);
  const id = code(row?.restaurantId) ?? code(row?.restaurantCode);
  const name = text(row?.restaurantName);
  if (id === undefined || name === undefined) return undefined;
  const crumbs = (text(row?.restaurantDesc) ?? '').split(/[|│]/);
  return { vendor: 'welstory', id, name, location: locationOf(crumbs, name) };
}
