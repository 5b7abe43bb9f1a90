import type { Bundle, DailyMenu, MealPeriod, Menu } from 'menu-client';
import { z } from 'zod';
import { dayChangeSchema, toDayChanges } from './day-change-output.ts';
import {
  type PageUrl,
  restaurantOutputSchema,
  toRestaurantOutput,
  UNTRUSTED_NOTICE,
} from './restaurant-output.ts';

const amount = z.number().nonnegative().optional();

/** What may be known of a menu, a dish or an item. */
export const nutritionSchema = z.object({
  caloriesKcal: amount,
  carbohydratesG: amount,
  proteinG: amount,
  fatG: amount,
  saturatedFatG: amount,
  transFatG: amount,
  sugarG: amount,
  fiberG: amount,
  sodiumMg: amount,
  cholesterolMg: amount,
  calciumMg: amount,
});

const bundleSchema = z.object({
  status: z
    .enum(['ok', 'empty', 'failed', 'stale', 'loading'])
    .describe('As of a period; empty: the operator names no items'),
  items: z.array(
    z.object({
      name: z.string(),
      nutrition: nutritionSchema.optional().describe('Of this item alone; absent: unknown'),
    }),
  ),
  fetchedAt: z.string().optional().describe('RFC 3339, UTC'),
  error: z.object({ code: z.string(), retryable: z.boolean() }).optional(),
});

const menuOutputSchema = z.object({
  id: z.string(),
  name: z.string(),
  nameEn: z.string().optional(),
  corner: z.string().optional().describe('Counter that serves it'),
  serving: z.enum(['take-in', 'take-out']),
  soldOut: z.boolean(),
  dishes: z.array(z.string()).describe('Dishes of the menu, the main one first'),
  nutrition: nutritionSchema
    .optional()
    .describe('Of the whole menu, per serving; a member that is absent is unknown'),
  bundle: bundleSchema
    .optional()
    .describe('Where people choose from several things: compare these items, there is no nutrition of all'),
  photoUrl: z.string().optional(),
});

/** One meal of a day. */
export const periodOutputSchema = z.object({
  code: z
    .string()
    .describe(
      '1 breakfast, 2 lunch, 3 dinner, 4 late night, 5 snack, 6 dawn, others by the operator; label is what the restaurant calls it',
    ),
  label: z.string(),
  status: z
    .enum(['ok', 'empty', 'failed', 'stale', 'loading'])
    .describe(
      'ok: read; empty: the operator answered that there is none; failed: could not be read, so nothing is known; loading: still being read; stale: could not be read now, these are the menus of fetchedAt',
    ),
  menus: z.array(menuOutputSchema),
  fetchedAt: z.string().optional().describe('RFC 3339, UTC'),
  changes: z.array(dayChangeSchema).optional().describe('Since the morning, the latest first'),
  error: z.object({ code: z.string(), retryable: z.boolean() }).optional(),
});

/** A whole day; what tools answer of a day is derived from it. */
export const dailyMenuOutputSchema = z.object({
  restaurant: restaurantOutputSchema,
  date: z.string().describe('YYYY-MM-DD, Asia/Seoul'),
  periods: z.array(periodOutputSchema).describe('By meal code'),
  allergens: z.literal('unknown').describe('Neither operator tells allergens: never infer them'),
  notice: z.string(),
});

/** The whole day of a restaurant, as its menu resource returns it. */
export type DailyMenuOutput = z.infer<typeof dailyMenuOutputSchema>;

function toMenu(menu: Menu): z.infer<typeof menuOutputSchema> {
  const { id, name, nameEn, corner, serving, soldOut, components, nutrition, bundle, photo } = menu;
  return {
    id,
    name,
    ...(nameEn === undefined ? {} : { nameEn }),
    ...(corner === undefined ? {} : { corner }),
    serving,
    soldOut,
    dishes: components.map((component) => component.name),
    ...(nutrition === undefined ? {} : { nutrition: { ...nutrition } }),
    ...(bundle === undefined ? {} : { bundle: toBundle(bundle) }),
    ...(photo === undefined ? {} : { photoUrl: photo.url }),
  };
}

function toBundle({ status, items, fetchedAt, error }: Bundle): z.infer<typeof bundleSchema> {
  return {
    status,
    items: items.map((item) => ({
      name: item.name,
      ...(item.nutrition === undefined ? {} : { nutrition: { ...item.nutrition } }),
    })),
    ...(fetchedAt === undefined ? {} : { fetchedAt }),
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}

function toPeriod(period: MealPeriod): z.infer<typeof periodOutputSchema> {
  const { code, label, status, menus, fetchedAt, error } = period;
  const changes = toDayChanges(period.changes);
  return {
    code,
    label,
    status,
    menus: menus.map(toMenu),
    ...(fetchedAt === undefined ? {} : { fetchedAt }),
    ...(changes === undefined ? {} : { changes }),
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}

/** What is said of any day, with the meals as a caller has them. */
export function dayOutput<Period>(
  { restaurant, date }: Pick<DailyMenu, 'restaurant' | 'date'>,
  periods: readonly Period[],
  pageUrl?: PageUrl,
) {
  return {
    restaurant: toRestaurantOutput(restaurant, pageUrl?.(restaurant, date)),
    date,
    periods: [...periods],
    allergens: 'unknown' as const,
    notice: UNTRUSTED_NOTICE,
  };
}

export function toDailyMenuOutput(day: DailyMenu, pageUrl?: PageUrl): DailyMenuOutput {
  return dayOutput(day, day.periods.map(toPeriod), pageUrl);
}
