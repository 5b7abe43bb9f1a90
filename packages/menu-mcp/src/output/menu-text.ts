import { failureWords } from 'menu-client';
import type { MenuAnswer } from './menu-answer.ts';
import { type MenuSelection, SORTS } from './menu-selection.ts';

const UNITS = {
  caloriesKcal: ['', ' kcal'],
  proteinG: ['protein ', ' g'],
  carbohydratesG: ['carbohydrates ', ' g'],
  fatG: ['fat ', ' g'],
  sugarG: ['sugar ', ' g'],
  sodiumMg: ['sodium ', ' mg'],
} as const;

type Period = MenuAnswer['periods'][number];

/** Text of an operator as one line: no character in it ends a line for any reader. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

/** A date with its day of the week, which models guess wrong: `2026-11-23 (Monday)`. */
export function dayName(date: string): string {
  return `${date} (${WEEKDAY.format(new Date(`${date}T00:00:00Z`))})`;
}

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });

const facts = (nutrition: Period['menus'][number]['nutrition']): string[] =>
  Object.entries(nutrition ?? {}).map(([key, amount]) => {
    const [before, after] = UNITS[key as keyof typeof UNITS];
    return `${before}${amount}${after}`;
  });

/** `- [corner] name, 812 kcal, protein 40 g, takeout, sold out: dishes`, or `one of (150 to 391 kcal): item, 150 kcal; item, 391 kcal` */
function menuLine(menu: Period['menus'][number], sort: MenuSelection['sort']): string {
  const { name, corner, serving, soldOut, nutrition, dishes = [], items = [], itemsUnread, range } = menu;
  const [before, after] = UNITS[SORTS[sort ?? 'calories']];
  const between = range === undefined ? '' : ` (${before}${range.min} to ${range.max}${after})`;
  const head = [
    (corner === undefined ? '' : `[${oneLine(corner)}] `) + oneLine(name),
    ...facts(nutrition),
    ...(serving === undefined ? [] : ['takeout']),
    ...(soldOut === undefined ? [] : ['sold out']),
    ...(itemsUnread === undefined ? [] : ['to choose from, what has not been read']),
    ...(items.length === 0 && range === undefined ? [] : [`one of${between}`]),
  ].join(', ');
  const rest =
    items.length > 0
      ? items.map((item) => [oneLine(item.name), ...facts(item.nutrition)].join(', ')).join('; ')
      : dishes.map(oneLine).join(', ');
  return `- ${head}${rest === '' ? '' : `: ${rest}`}`;
}

const CHANGED = {
  added: 'added',
  withdrawn: 'gone',
  'sold-out': 'sold out',
  available: 'available again',
} as const;

/** `Since the morning: 13:00 sold out 제육볶음; 09:00 added 냉면` */
function changesLine({ changes = [] }: Period): string[] {
  if (changes.length === 0) return [];
  const told = changes.map(
    ({ kind, name, at }) => `${CLOCK.format(new Date(at))} ${CHANGED[kind]} ${oneLine(name)}`,
  );
  return [`Since the morning: ${told.join('; ')}`];
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Seoul' });

/** What to say about a period besides its menus. */
function statusLine({ status, fetchedAt, error, menus }: Period): string[] {
  if (status === 'loading') return ['Still being read: ask again. That does not mean that there is none.'];
  if (status === 'failed')
    return [`Could not be read (${failureWords(error?.code, 'en')}). That does not mean that there is none.`];
  if (status === 'stale')
    return [
      `Could not be read now (${failureWords(error?.code, 'en')}); this is what was read at ${fetchedAt ?? '?'}.`,
    ];
  if (status === 'empty') return ['None is published.'];
  return menus.length === 0 ? ['Nothing in this view.'] : [];
}

/** The answer for models: the same facts without JSON's punctuation and without addresses of photos. */
export function toMenuText(
  answer: MenuAnswer,
  { meal, sort }: MenuSelection,
  mealsOfDay: readonly string[],
): string {
  const { restaurant, date, periods, nextDate, leftOut, notice } = answer;
  const lines = [
    `${oneLine(restaurant.name)} (${restaurant.vendor} ${oneLine(restaurant.id)}), ${dayName(date)}`,
  ];
  if (restaurant.url !== undefined) lines.push(restaurant.url);
  for (const period of periods) {
    const heading = `${oneLine(period.label)} (${period.meal})`;
    lines.push(`## ${heading}`, ...statusLine(period));
    lines.push(...period.menus.map((menu) => menuLine(menu, sort)), ...changesLine(period));
  }
  if (periods.length === 0) {
    lines.push(
      meal === undefined || mealsOfDay.length === 0
        ? 'No meal is published for this date.'
        : `No ${meal} on this date. It has: ${mealsOfDay.map(oneLine).join(', ')}.`,
    );
  }
  if (nextDate !== undefined) lines.push(`The next day with a menu is ${dayName(nextDate)}.`);
  if (leftOut !== undefined)
    lines.push(`Left out of this long answer: ${leftOut.join(', ')}. Send meal, view or sort.`);
  lines.push(`Allergens are unknown: never infer them. ${notice}`);
  return lines.join('\n');
}
