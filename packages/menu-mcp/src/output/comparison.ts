import { type DailyMenu, failureWords, isWholeMeal, type Menu, type Restaurant, VENDORS } from 'menu-client';
import { z } from 'zod';
import { dailyMenuOutputSchema, periodOutputSchema } from './daily-menu-output.ts';
import { rangeOf } from './menu-answer.ts';
import { MEALS, type MealName, mealName, unreadMeal } from './menu-selection.ts';
import { dayName, oneLine } from './menu-text.ts';
import { type PageUrl, UNTRUSTED_NOTICE } from './restaurant-output.ts';

/** A day as it was read, or the code of why it could not be. */
export type ComparedDay = DailyMenu | { readonly date: string; readonly code: string };

/** A meal of a day. */
export interface ComparedMeal {
  readonly day: ComparedDay;
  readonly meal: MealName;
}

const menuSchema = z.object({
  name: z.string(),
  corner: z.string().optional().describe('Counter that serves it'),
  caloriesKcal: z.number().optional(),
  proteinG: z.number().optional(),
  rangeKcal: z
    .object({ min: z.number(), max: z.number() })
    .optional()
    .describe('Of the things to choose from: nobody eats them all'),
  serving: z.literal('take-out').optional().describe('Absent: eaten there'),
  soldOut: z.literal(true).optional(),
});

const daySchema = z.object({
  date: z.string().describe('YYYY-MM-DD, Asia/Seoul'),
  meal: z.enum(MEALS).optional().describe('Only where it is not that of the comparison'),
  status: periodOutputSchema.shape.status.describe(
    'As of a period of get_restaurant_menu; empty: there is none',
  ),
  menus: z.array(menuSchema),
  more: z.int().optional().describe('How many menus are left out of this long answer'),
  error: z.string().optional().describe('Code of the failure'),
});

export const comparisonSchema = z.object({
  meal: z.enum(MEALS),
  restaurants: z.array(
    z.object({
      vendor: z.enum(VENDORS),
      id: z.string(),
      name: z.string(),
      url: z.string().optional().describe('Page for people'),
      days: z.array(daySchema),
      nextDate: z
        .string()
        .optional()
        .describe('Where the last date has no menu at all: the next day that has one'),
    }),
  ),
  ...dailyMenuOutputSchema.pick({ allergens: true, notice: true }).shape,
});

/** What `compare_menus` answers. */
export type Comparison = z.infer<typeof comparisonSchema>;

type Day = z.infer<typeof daySchema>;

interface ComparisonOptions {
  /** Most menus of a day. */
  readonly most: number;
  /** Whether menus have their counter and protein, and restaurants their page. */
  readonly detailed: boolean;
  readonly pageUrl: PageUrl | undefined;
}

function toMenu(menu: Menu, detailed: boolean): z.infer<typeof menuSchema> {
  const { name, corner, soldOut, bundle } = menu;
  const { caloriesKcal, proteinG } = bundle === undefined ? (menu.nutrition ?? {}) : {};
  const { range } = rangeOf(menu, 'calories');
  return {
    name,
    ...(corner === undefined || !detailed ? {} : { corner }),
    ...(caloriesKcal === undefined ? {} : { caloriesKcal }),
    ...(proteinG === undefined || !detailed ? {} : { proteinG }),
    ...(range === undefined ? {} : { rangeKcal: range }),
    ...(menu.serving === 'take-out' ? { serving: 'take-out' as const } : {}),
    ...(soldOut ? { soldOut: true as const } : {}),
  };
}

function toDay({ day, meal }: ComparedMeal, common: MealName, { most, detailed }: ComparisonOptions): Day {
  const named = { date: day.date, ...(meal === common ? {} : { meal }) };
  if (!('periods' in day)) return { ...named, status: 'failed', menus: [], error: day.code };
  const period = day.periods.find(({ code }) => mealName(code) === meal) ?? unreadMeal(day, meal);
  if (period === undefined) return { ...named, status: 'empty', menus: [] };
  const { status, error } = period;
  // A long answer leaves out what is no meal first.
  const menus = [true, false].flatMap((whole) => period.menus.filter((menu) => isWholeMeal(menu) === whole));
  const rest = menus.length - most;
  return {
    ...named,
    status,
    menus: menus.slice(0, most).map((menu) => toMenu(menu, detailed)),
    ...(rest > 0 ? { more: rest } : {}),
    ...(error === undefined ? {} : { error: error.code }),
  };
}

/** One meal of the days of several restaurants, for programs. */
export function toComparison(
  compared: readonly {
    readonly restaurant: Restaurant;
    readonly days: readonly ComparedMeal[];
    readonly nextDate: string | undefined;
  }[],
  meal: MealName,
  options: ComparisonOptions,
): Comparison {
  return {
    meal,
    restaurants: compared.map(({ restaurant, days, nextDate }) => {
      const { vendor, id, name } = restaurant;
      const url = options.detailed ? options.pageUrl?.(restaurant) : undefined;
      return {
        vendor,
        id,
        name,
        ...(url === undefined ? {} : { url }),
        days: days.map((day) => toDay(day, meal, options)),
        ...(nextDate === undefined ? {} : { nextDate }),
      };
    }),
    allergens: 'unknown',
    notice: UNTRUSTED_NOTICE,
  };
}

const STATUS: Readonly<Record<Day['status'], (code: string | undefined) => string>> = {
  ok: () => '',
  empty: () => 'none is published',
  failed: (code) => `could not be read (${failureWords(code, 'en')}), which does not mean that there is none`,
  loading: () => 'still being read: ask again',
  stale: (code) => `could not be read now (${failureWords(code, 'en')}), this is from an earlier reading: `,
};

/** `제육볶음 (812 kcal)`, `샌드위치 3 pick (one of several, 12 to 391 kcal, takeout)` */
function menuWords(menu: Day['menus'][number]): string {
  const { name, caloriesKcal, proteinG, rangeKcal, serving, soldOut } = menu;
  const facts = [
    ...(caloriesKcal === undefined ? [] : [`${caloriesKcal} kcal`]),
    ...(proteinG === undefined ? [] : [`protein ${proteinG} g`]),
    ...(rangeKcal === undefined ? [] : [`one of several, ${rangeKcal.min} to ${rangeKcal.max} kcal`]),
    ...(serving === undefined ? [] : ['takeout']),
    ...(soldOut === undefined ? [] : ['sold out']),
  ];
  return oneLine(name) + (facts.length === 0 ? '' : ` (${facts.join(', ')})`);
}

function dayLine({ date, meal, status, menus, more, error }: Day): string {
  const served = menus.map(menuWords).join('; ') + (more === undefined ? '' : `; ${more} more`);
  const ofMeal = meal === undefined ? '' : `, ${meal}`;
  return `- ${dayName(date)}${ofMeal}: ${STATUS[status](error)}${served}`;
}

/** The same for models: a line for each day. */
export function toComparisonText({ meal, restaurants, notice }: Comparison): string {
  return [
    ...restaurants.flatMap(({ vendor, id, name, days, nextDate }) => [
      `## ${oneLine(name)} (${vendor} ${oneLine(id)}), ${meal}`,
      ...days.map(dayLine),
      ...(nextDate === undefined ? [] : [`The next day with a menu is ${dayName(nextDate)}.`]),
    ]),
    `Allergens are unknown: never infer them. ${notice}`,
  ].join('\n');
}
