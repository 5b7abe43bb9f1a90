import { OTHER_LUNCH_CODE } from '../catalogue/restaurant.ts';
import type { Random } from '../seeded/random.ts';
import type { Fault } from './fault-rule.ts';

/** Changes the JSON of an answer. */
export type BodyFault = (body: unknown, random: Random) => unknown;

type Members = Record<string, unknown>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Applies a change to every object in an array, at any depth. */
function mapRows(value: unknown, change: (row: Members) => Members, inArray = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapRows(item, change, true));
  if (!isObject(value)) return value;
  const row = inArray ? change(value) : value;
  return Object.fromEntries(Object.entries(row).map(([key, member]) => [key, mapRows(member, change)]));
}

function retype(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return random.pick([`${value}`, null, [value]]);
  if (typeof value === 'string') return random.pick([value.length, null, { value }, true]);
  return random.pick(['', 0, null]);
}

const ANSWER_MEMBERS = ['data', 'ds', 'mealData'];
const WRAPPERS = ['ds', 'resultList', 'data', 'list'];

/** Changes the rows that are items, wherever they are in the answer. */
const mapItems = (body: unknown, change: (row: Members) => Members): unknown =>
  mapRows(body, (row) => ('itemNmDp' in row || 'menuName' in row ? change(row) : row));

function without(row: Members, member: string): Members {
  const { [member]: _left, ...rest } = row;
  return rest;
}

/** Changes the list in `data`. */
function mapData(body: unknown, change: (rows: readonly Members[]) => readonly Members[]): unknown {
  if (!isObject(body) || !Array.isArray(body.data)) return body;
  return { ...body, data: change(body.data.filter(isObject)) };
}

/** The row with zeros instead of its figures. */
function withoutFigures(row: Members): Members {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, key === 'kcal' || key.startsWith('tot') ? '0' : value]),
  );
}

const MEAL_CODES = ['mealCd', 'code', 'menuMealType'];
const CODES = [...MEAL_CODES, 'itemCd'];

export const BODY_FAULTS: Readonly<Partial<Record<Fault, BodyFault>>> = {
  'data-null': (body) => {
    if (!isObject(body)) return { data: null };
    const members = ANSWER_MEMBERS.filter((key) => key in body);
    return { ...body, ...Object.fromEntries(members.map((key) => [key, null])) };
  },
  'wrong-types': (body, random) =>
    mapRows(body, (row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, random.chance(0.15) ? retype(value, random) : value]),
      ),
    ),
  'missing-members': (body, random) =>
    mapRows(body, (row) => Object.fromEntries(Object.entries(row).filter(() => random.chance(0.85)))),
  'unknown-members': (body) =>
    mapRows(isObject(body) ? { ...body, data3: { version: 2 } } : body, (row) => ({
      ...row,
      newFeature: { enabled: true },
      zzz: 1,
    })),
  'session-malformed': (body, random) => ({
    ...(isObject(body) ? body : {}),
    data: random.pick(['not-a-token', '', null, 17, { token: 'x' }]),
  }),
  'tree-wrapped': (body, random) => (Array.isArray(body) ? { [random.pick(WRAPPERS)]: body } : body),
  'ds-missing': (body, random) =>
    isObject(body) && Array.isArray(body.ds) && body.ds.length === 0
      ? random.pick([{ ds: null }, { result: 'OK' }])
      : body,
  'menus-empty': () => ({ ds: [] }),
  'meals-missing': () => ({ result: 'OK' }),
  'numeric-codes': (body) =>
    mapRows(body, (row) => {
      const numbers = CODES.flatMap((name) => {
        const digits = (name === 'itemCd' ? /\d+$/ : /^\d+$/).exec(String(row[name]))?.[0];
        return digits === undefined ? [] : [[name, Number(digits)]];
      });
      return { ...row, ...Object.fromEntries(numbers) };
    }),
  'unknown-meal-code': (body) =>
    mapRows(body, (row) => {
      const lunch = MEAL_CODES.filter((name) => row[name] === '2');
      return { ...row, ...Object.fromEntries(lunch.map((name) => [name, OTHER_LUNCH_CODE])) };
    }),
  'item-code-missing': (body) => mapItems(body, (row) => without(row, 'itemCd')),
  'item-seq-missing': (body) => mapItems(body, (row) => without(row, 'itemSeq')),
  'no-envelope': (body) => (isObject(body) && 'data' in body ? body.data : body),
  'course-type-missing': (body) => mapItems(body, (row) => without(row, 'menuCourseType')),
  'items-empty': (body) => ({ ...(isObject(body) ? body : {}), data: [] }),
  'items-repeat': (body) => mapData(body, (rows) => rows.slice(0, 1).map(withoutFigures)),
  'foreign-photo-host': (body) =>
    JSON.parse(
      JSON.stringify(body).replaceAll(/"http:\/\/[^/"]+\/upload\//g, '"http://planeatchoice.net/upload/'),
    ),
};
