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

/** Changes the items of the answer's member that holds them. */
const mapItems = (body: unknown, change: (row: Members) => Members): unknown =>
  mapRows(body, (row) => ('itemNmDp' in row || 'menuName' in row ? change(row) : row));

function without(row: Members, member: string): Members {
  const { [member]: _left, ...rest } = row;
  return rest;
}

const CODES = ['mealCd', 'code', 'itemCd', 'menuMealType'];

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
      const codes = CODES.filter((name) => /^\d+$/.test(String(row[name])));
      return { ...row, ...Object.fromEntries(codes.map((name) => [name, Number(row[name])])) };
    }),
  'item-code-missing': (body) => mapItems(body, (row) => without(row, 'itemCd')),
  'item-seq-missing': (body) => mapItems(body, (row) => without(row, 'itemSeq')),
  'no-envelope': (body) => (isObject(body) && 'data' in body ? body.data : body),
  'course-type-missing': (body) => mapItems(body, (row) => without(row, 'menuCourseType')),
  'foreign-photo-host': (body) =>
    JSON.parse(
      JSON.stringify(body).replaceAll(/"http:\/\/[^/"]+\/upload\//g, '"http://planeatchoice.net/upload/'),
    ),
};
