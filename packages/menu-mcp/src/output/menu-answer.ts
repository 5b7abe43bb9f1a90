import type { Choice, Menu, Restaurant } from 'menu-client';
import { z } from 'zod';
import {
  dailyMenuOutputSchema,
  dayOutput,
  periodOutputSchema,
  nutritionSchema as wholeNutritionSchema,
} from './daily-menu-output.ts';
import { toDayChanges } from './day-change-output.ts';
import {
  MEALS,
  type MenuSelection,
  mealName,
  type SelectedDay,
  type SelectedPeriod,
  SORTS,
} from './menu-selection.ts';
import type { PageUrl } from './restaurant-output.ts';

/** Address of a menu's photo on this site; undefined if there is none. */
export type PhotoUrl = (restaurant: Restaurant, date: string, menu: Menu) => string | undefined;

const DAY = dailyMenuOutputSchema.shape;
const PERIOD = periodOutputSchema.shape;

const nutritionSchema = wholeNutritionSchema.pick({
  caloriesKcal: true,
  proteinG: true,
  carbohydratesG: true,
  fatG: true,
  sugarG: true,
  sodiumMg: true,
});

const menuSchema = z.object({
  name: z.string(),
  corner: z.string().optional().describe('Counter that serves it'),
  serving: z.literal('take-out').optional().describe('Absent: eaten there'),
  soldOut: z.literal(true).optional(),
  nutrition: nutritionSchema
    .optional()
    .describe('Of the whole menu: calories, protein and what it is sorted by; absent: unknown'),
  dishes: z.array(z.string()).optional().describe('What comes with it'),
  range: z
    .object({ min: z.number(), max: z.number() })
    .optional()
    .describe('Sorted: from the least to the most among its items'),
  items: z
    .array(z.object({ name: z.string(), nutrition: nutritionSchema.optional() }))
    .optional()
    .describe(
      'What one chooses from, in place of nutrition of the whole; sorted by the least, after the whole meals',
    ),
  itemsUnread: z
    .literal(true)
    .optional()
    .describe('Several things to choose from, which have not been read: its nutrition is unknown'),
  photoUrl: z.url().optional(),
});

const periodSchema = z.object({
  meal: z.string().describe(`${MEALS.join(', ')}; of another meal the operator's code: see label`),
  label: PERIOD.label.describe('What the restaurant calls the meal'),
  status: PERIOD.status.describe(
    'ok: read; empty: there is none; failed: could not be read, so nothing is known; loading: still being read, ask again; stale: could not be read now, these are the menus of fetchedAt',
  ),
  menus: z.array(menuSchema),
  fetchedAt: PERIOD.fetchedAt.describe('Of stale ones; RFC 3339, UTC'),
  changes: PERIOD.changes.describe(
    'What has changed since the morning, the latest first; absent: nothing seen',
  ),
  error: PERIOD.error,
});

export const menuAnswerSchema = z.object({
  restaurant: DAY.restaurant,
  date: DAY.date,
  periods: z.array(periodSchema).describe('Today the present meal first'),
  nextDate: z
    .string()
    .optional()
    .describe('Where this date has no menu: the next day that has one, YYYY-MM-DD'),
  leftOut: z
    .array(z.enum(['dishes', 'items', 'photos', 'menus']))
    .optional()
    .describe('What a long answer lacks here; send meal, view or sort for a shorter one'),
  allergens: DAY.allergens,
  notice: DAY.notice,
});

/**
 * What `get_restaurant_menu` answers: a day or the part of it that was asked for, without what an assistant does not
 * need.
 */
export type MenuAnswer = z.infer<typeof menuAnswerSchema>;

/** Of one meal; the page and `menu://` have the rest. */
const MAX_CHANGES = 8;

/** What a long answer may lack. */
export type LeftOut = readonly NonNullable<MenuAnswer['leftOut']>[number][];

/** True for a bundle whose items could not be read, or not yet. */
function isUnread(bundle: Menu['bundle']): boolean {
  return bundle?.status === 'failed' || bundle?.status === 'loading';
}

/** Dishes of a menu besides the one that it is named after; none for an item of a bundle. */
function sidesOf({ name, menu, item }: Choice): string[] {
  if (item !== undefined || menu.bundle !== undefined) return [];
  return menu.components.map((component) => component.name).filter((dish) => dish !== name);
}

interface AnswerOptions {
  readonly sort?: MenuSelection['sort'];
  readonly pageUrl?: PageUrl | undefined;
  readonly photoUrl?: PhotoUrl | undefined;
  /** The next day with menus, where this one has none. */
  readonly nextDate?: string | undefined;
  /** @default nothing */
  readonly leftOut?: LeftOut;
}

function nutritionOf(
  { nutrition, item }: Choice,
  sort: MenuSelection['sort'],
): z.infer<typeof nutritionSchema> | undefined {
  const shown: (keyof typeof nutritionSchema.shape)[] = ['caloriesKcal'];
  if (item === undefined) shown.push('proteinG');
  if (sort !== undefined) shown.push(SORTS[sort]);
  const known = shown.filter((key) => nutrition?.[key] !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known.map((key) => [key, nutrition?.[key]]));
}

/** The least and the most of what is compared among the items of a bundle; nothing for one thing, or when unknown. */
export function rangeOf(
  { bundle }: Menu,
  sort: keyof typeof SORTS,
): { readonly range?: { readonly min: number; readonly max: number } } {
  const amounts = (bundle?.items ?? []).flatMap(({ nutrition }) => nutrition?.[SORTS[sort]] ?? []);
  return amounts.length < 2 ? {} : { range: { min: Math.min(...amounts), max: Math.max(...amounts) } };
}

/** Choices in their order; a bundle's items are grouped at the place of the first. */
function inGroups(choices: readonly Choice[]): readonly [Choice, ...Choice[]][] {
  const groups = new Map<string, [Choice, ...Choice[]]>();
  for (const choice of choices) {
    const group = groups.get(choice.menu.id);
    if (group === undefined) groups.set(choice.menu.id, [choice]);
    else group.push(choice);
  }
  return [...groups.values()];
}

/** Whole menus, then each bundle once, without its items and thus without nutrition. */
function withoutItems(choices: readonly Choice[]): readonly Choice[] {
  const bundles = new Map(
    choices.flatMap(({ menu, item }) => (item === undefined ? [] : [[menu.id, menu] as const])),
  );
  return [
    ...choices.filter(({ item }) => item === undefined),
    ...[...bundles.values()].map((menu) => ({ id: menu.id, name: menu.name, menu })),
  ];
}

/** The day for programs: with what people ask for, and without members that say only what most menus have in common. */
export function toMenuAnswer(day: SelectedDay, options: AnswerOptions = {}): MenuAnswer {
  const { sort, pageUrl, photoUrl, nextDate, leftOut = [] } = options;
  const { restaurant, date } = day;
  const toMenu = (group: readonly [Choice, ...Choice[]]): z.infer<typeof menuSchema> => {
    const [choice] = group;
    const { menu, item } = choice;
    const nutrition = item === undefined ? nutritionOf(choice, sort) : undefined;
    const sides = leftOut.includes('dishes') ? [] : sidesOf(choice);
    const hasPhoto = menu.photo !== undefined && !leftOut.includes('photos');
    const photo = hasPhoto ? photoUrl?.(restaurant, date, menu) : undefined;
    const items = group.flatMap((each) => {
      if (each.item === undefined) return [];
      const known = nutritionOf(each, sort);
      return [{ name: each.name, ...(known === undefined ? {} : { nutrition: known }) }];
    });
    return {
      name: menu.name,
      ...(menu.corner === undefined ? {} : { corner: menu.corner }),
      ...(menu.serving === 'take-out' ? { serving: 'take-out' as const } : {}),
      ...(menu.soldOut ? { soldOut: true as const } : {}),
      ...(nutrition === undefined ? {} : { nutrition }),
      ...(sides.length === 0 ? {} : { dishes: sides }),
      ...(sort === undefined ? {} : rangeOf(menu, sort)),
      ...(items.length === 0 ? {} : { items }),
      ...(item === undefined && isUnread(menu.bundle) ? { itemsUnread: true as const } : {}),
      ...(photo === undefined ? {} : { photoUrl: photo }),
    };
  };
  const toPeriod = ({ code, label, status, choices, fetchedAt, changes, error }: SelectedPeriod) => {
    const shownChanges = toDayChanges(changes, MAX_CHANGES);
    return {
      meal: mealName(code) ?? code,
      label,
      status,
      menus: inGroups(leftOut.includes('items') ? withoutItems(choices) : choices).map(toMenu),
      ...(status === 'stale' && fetchedAt !== undefined ? { fetchedAt } : {}),
      ...(shownChanges === undefined ? {} : { changes: shownChanges }),
      ...(error === undefined ? {} : { error: { ...error } }),
    };
  };
  const { allergens, notice, ...shown } = dayOutput(day, day.periods.map(toPeriod), pageUrl);
  return {
    ...shown,
    ...(nextDate === undefined ? {} : { nextDate }),
    ...(leftOut.length === 0 ? {} : { leftOut: [...leftOut] }),
    allergens,
    notice,
  };
}
