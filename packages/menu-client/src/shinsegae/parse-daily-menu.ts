import { z } from 'zod';
import { MEAL_CODES, type MealCode } from '../domain/daily-menu.ts';
import type { Menu, MenuComponent, MenuPhoto, Nutrition } from '../domain/menu.ts';
import { OperatorError } from '../domain/menu-error.ts';
import { classifyServing, exceedsOneServing } from '../domain/serving.ts';
import { bundleOf, toItems } from '../operator/bundle.ts';
import { asRow, code, type Draft, nutrition, quantity, type Row, text } from '../operator/lenient.ts';
import { mealCode, readMealRows, usualMeal } from '../operator/meal-code.ts';
import type { Meal, Reading, UnknownValue } from '../operator/operator.ts';
import { readRows, unknownIn } from '../operator/readings.ts';
import { soldOutSign } from '../operator/sold-out.ts';

const times = z.object({ mealData: z.array(z.unknown()).nullish() });
type TimeRow = Row<'mealCd' | 'mealCdNm'>;
const menus = z.object({ ds: z.array(z.unknown()).nullish() });
type FileRow = Row<'url' | 'thumbnail'>;
type SideRow = Row<'subItemNmDp' | 'calorie'>;
const list = z.array(z.unknown());

type ItemRow = Row<
  | 'cnrNm'
  | 'itemNmDp'
  | 'itemNmDpEn'
  | 'itemCd'
  | 'itemSeq'
  | 'mealCd'
  | 'totCalorie'
  | 'calorie'
  | 'carbohydrates'
  | 'sugars'
  | 'dietaryFiber'
  | 'fat'
  | 'protein'
  | 'salt'
  | 'cholesterol'
  | 'transFat'
  | 'saturatedFat'
  | 'calcium'
  | 'packFg'
  | 'soldOutYn'
  | 'hidePictureYn'
  | 'hideSubMenuYn'
  | 'fileUpload'
  | 'dailySubMenuDtos'
>;

/** A menu, the meal that it names as its own, and the one that was asked for. */
export interface MealItem {
  readonly meal: MealCode;
  readonly asked: MealCode;
  readonly menu: Menu;
  readonly unknown: readonly UnknownValue[];
}

const NOTICE = '이용안내';
const PLAIN_PHOTO_HOST = /^http:\/\/planeatchoice\.net(?=[/:?#]|$)(?::80)?/i;
const PHOTO_ORIGIN = 'https://m.planeatchoice.net';

/** GET /storTime; every known meal if the answer lists none. @throws OperatorError `operator_answer_invalid` */
export function parseMeals(value: unknown): Reading<readonly Meal[]> {
  const parsed = times.safeParse(value);
  if (!parsed.success) throw invalid('mealData');
  // Counted as a dropped row, so that the list is asked for again soon.
  if (parsed.data.mealData == null) return { value: MEAL_CODES.map(usualMeal), droppedRows: 1 };
  return readMealRows('shinsegae', parsed.data.mealData, (item) => {
    const row: TimeRow | undefined = asRow(item);
    return { code: row?.mealCd, label: row?.mealCdNm };
  });
}

/**
 * GET /portal/dailyMenu. A day without `ds` is empty. Notices among the items are left out without being counted.
 * @throws OperatorError `operator_answer_invalid`
 */
export function parseDailyMenu(answer: unknown, asked: MealCode): Reading<readonly MealItem[]> {
  const parsed = menus.safeParse(answer);
  if (!parsed.success) throw invalid('ds');
  const { value: items, droppedRows } = readRows('shinsegae', parsed.data.ds ?? [], (item) =>
    parseItem(item, asked),
  );
  const byId = new Map<string, MealItem>();
  for (const item of items) {
    if (item !== 'notice' && !byId.has(item.menu.id)) byId.set(item.menu.id, item);
  }
  const value = [...byId.values()];
  return { value, droppedRows, ...unknownIn(value.flatMap(({ unknown }) => unknown)) };
}

function parseItem(value: unknown, asked: MealCode): MealItem | 'notice' | undefined {
  const row: ItemRow | undefined = asRow(value);
  if (row === undefined) return undefined;
  const name = text(row.itemNmDp);
  const corner = text(row.cnrNm);
  if (name?.includes(NOTICE) === true || corner?.includes(NOTICE) === true) return 'notice';
  if (name === undefined) return undefined;
  const meal = mealCode(row.mealCd) ?? asked;
  const components = componentsOf(row, name);
  const facts = nutritionOf(row);
  const nameEn = text(row.itemNmDpEn);
  const photo = photoOf(row);
  const id = itemId(meal, row, name);
  const serving = classifyServing({
    name,
    caloriesKcal: facts?.caloriesKcal,
    declaredTakeOut: code(row.packFg) === '2',
    components,
    dishMarksCount: false,
  });
  const { soldOut, unknown } = soldOutSign({ soldOutYn: row.soldOutYn });
  const menu: Draft<Menu> = { id, name, serving, soldOut, components };
  if (nameEn !== undefined) menu.nameEn = nameEn;
  if (corner !== undefined) menu.corner = corner;
  // An item is one choice, even to take out; but one too large for one person is a bundle, with its side dishes as items.
  if (exceedsOneServing({ components, caloriesKcal: facts?.caloriesKcal }))
    menu.bundle = bundleOf(toItems(components.map(toNamed)));
  else if (facts !== undefined) menu.nutrition = facts;
  if (photo !== undefined) menu.photo = photo;
  return { meal, asked, menu, unknown };
}

/** `itemCd` and `itemSeq`; if one is missing, the name and the corner tell items apart. */
function itemId(meal: MealCode, row: ItemRow, name: string): string {
  const [itemCd, itemSeq] = [code(row.itemCd), code(row.itemSeq)];
  const named = itemCd === undefined || itemSeq === undefined ? [name, text(row.cnrNm) ?? ''] : [];
  return [meal, itemCd ?? '', itemSeq ?? '', ...named]
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join('.');
}

function componentsOf(row: ItemRow, name: string): readonly MenuComponent[] {
  if (isYes(row.hideSubMenuYn)) return [];
  const sides = (list.safeParse(row.dailySubMenuDtos).data ?? []).flatMap((value): MenuComponent[] => {
    const side: SideRow | undefined = asRow(value);
    const sideName = text(side?.subItemNmDp);
    if (sideName === undefined) return [];
    const facts = nutrition({ caloriesKcal: side?.calorie });
    return [{ name: sideName, main: false, ...(facts === undefined ? {} : { nutrition: facts }) }];
  });
  if (sides.length === 0) return [];
  // If there is no total, `calorie` is the total.
  const own = hasTotal(row) ? nutrition({ caloriesKcal: row.calorie }) : undefined;
  return [{ name, main: true, ...(own === undefined ? {} : { nutrition: own }) }, ...sides];
}

function toNamed({ name, nutrition: facts }: MenuComponent): Pick<MenuComponent, 'name' | 'nutrition'> {
  return { name, ...(facts === undefined ? {} : { nutrition: facts }) };
}

function nutritionOf(row: ItemRow): Nutrition | undefined {
  return nutrition({
    caloriesKcal: hasTotal(row) ? row.totCalorie : row.calorie,
    carbohydratesG: row.carbohydrates,
    proteinG: row.protein,
    fatG: row.fat,
    saturatedFatG: row.saturatedFat,
    transFatG: row.transFat,
    sugarG: row.sugars,
    fiberG: row.dietaryFiber,
    sodiumMg: row.salt,
    cholesterolMg: row.cholesterol,
    calciumMg: row.calcium,
  });
}

function hasTotal({ totCalorie }: ItemRow): boolean {
  return (quantity(totCalorie) ?? 0) > 0;
}

function photoOf(row: ItemRow): MenuPhoto | undefined {
  if (isYes(row.hidePictureYn)) return undefined;
  for (const value of list.safeParse(row.fileUpload).data ?? []) {
    const file: FileRow | undefined = asRow(value);
    const url = photoUrl(file?.url);
    const thumbnailUrl = photoUrl(file?.thumbnail);
    if (url !== undefined) return { url, ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }) };
    if (thumbnailUrl !== undefined) return { url: thumbnailUrl };
  }
  return undefined;
}

/** The plain-http host has an https twin; a path alone belongs to that one too. */
function photoUrl(value: unknown): string | undefined {
  const written = text(value)?.replace(PLAIN_PHOTO_HOST, PHOTO_ORIGIN);
  const url =
    written?.startsWith('/') === true && !written.startsWith('//') ? `${PHOTO_ORIGIN}${written}` : written;
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
}

function isYes(value: unknown): boolean {
  return text(value)?.toUpperCase() === 'Y';
}

function invalid(member: string): OperatorError {
  return new OperatorError(
    'shinsegae',
    'operator_answer_invalid',
    `The answer has no list in \`${member}\`.`,
  );
}
