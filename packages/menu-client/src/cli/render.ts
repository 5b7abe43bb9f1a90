import type { DailyMenu, MealPeriod } from '../domain/daily-menu.ts';
import type { Bundle, Menu, Nutrition } from '../domain/menu.ts';
import { mealsFromNow } from '../domain/present-meal.ts';
import type { Restaurant } from '../domain/restaurant.ts';

/** Hangul, Han, kana and full-width characters take two terminal columns. */
const WIDE =
  /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
/** Escape sequences of an operator's text must not reach the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

export function renderRestaurants(restaurants: readonly Restaurant[]): string {
  if (restaurants.length === 0) return 'No restaurant matches.';
  const rows = restaurants.map(({ vendor, id, name, location }) => [vendor, id, name, location.join(' > ')]);
  return formatTable([['OPERATOR', 'ID', 'NAME', 'LOCATION'], ...rows]);
}

/** The day as text, its present meal first and those that are over last. @param nowMs now, in ms since the epoch */
export function renderDay(day: DailyMenu, nowMs: number): string {
  const { restaurant, date } = day;
  const { coming, over } = mealsFromNow(day, nowMs);
  const title = formatTable([[`${restaurant.name} (${[...restaurant.location].join(' > ')}) ${date}`]]);
  const sections = [...coming, ...over].map((period) =>
    [formatTable([[heading(period)]]), menus(period)].filter(Boolean).join('\n'),
  );
  const body = sections.length === 0 ? ['The restaurant lists no meals.'] : sections;
  return [title, ...body].join('\n\n');
}

function heading({ label, status, fetchedAt, error }: MealPeriod): string {
  const texts: Readonly<Record<MealPeriod['status'], string>> = {
    ok: label,
    empty: `${label}: no menu`,
    stale: `${label}: could not be read now (${error?.code}), as of ${fetchedAt}`,
    loading: `${label}: still being read, try again in a moment`,
    failed: `${label}: could not be read (${error?.code}${error?.retryable === true ? ', try again later' : ''})`,
  };
  return texts[status];
}

function menus(period: MealPeriod): string {
  return formatTable(
    period.menus.flatMap((menu) => [
      [`  ${menu.corner ?? ''}`, nameOf(menu), kcalOf(menu.nutrition), sidesOf(menu)],
      ...(menu.bundle?.items ?? []).map((item) => ['', `- ${item.name}`, kcalOf(item.nutrition)]),
    ]),
  );
}

function nameOf({ name, serving, soldOut }: Menu): string {
  return [name, serving === 'take-out' ? '[take-out]' : '', soldOut ? '[sold out]' : '']
    .filter(Boolean)
    .join(' ');
}

function kcalOf(nutrition: Nutrition | undefined): string {
  return nutrition?.caloriesKcal === undefined ? '' : `${Math.round(nutrition.caloriesKcal)} kcal`;
}

function sidesOf({ components, bundle }: Menu): string {
  if (bundle !== undefined) return bundleNote(bundle);
  return components
    .filter(({ main }) => !main)
    .map(({ name }) => name)
    .join(', ');
}

function bundleNote({ status, fetchedAt, error }: Bundle): string {
  const texts: Readonly<Record<Bundle['status'], string>> = {
    ok: '',
    empty: 'the operator names no items',
    stale: `items could not be read now (${error?.code}), as of ${fetchedAt}`,
    failed: `items could not be read (${error?.code})`,
    loading: 'items are still being read',
  };
  return texts[status];
}

/** Rows as aligned columns, two spaces apart. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replace(CONTROL, ' ')));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
  }
  return cells
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(width - displayWidth(cell));
}

function displayWidth(text: string): number {
  let width = 0;
  for (const sign of text) width += WIDE.test(sign) ? 2 : 1;
  return width;
}
