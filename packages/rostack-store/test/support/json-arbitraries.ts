import * as fc from 'fast-check';
import type { Collation, JsonObject, JsonScalar, JsonValue } from 'rostack-core';
import type { ResourceDefinition } from '../../src/index.ts';

const LONG = 'x'.repeat(255);

/** Few values, so that records and operands meet; and those whose order or text is easily got wrong. */
const strings = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'b',
  'aa',
  '0',
  '1',
  'true',
  'null',
  'P',
  'PP',
  '%',
  '_',
  '\\',
  "'",
  '"',
  'é',
  'e\u0301',
  '한',
  '한글',
  '\u0000',
  'a\u0000b',
  '\u0001',
  '\uffff',
  '\ue000',
  '😀',
  'a😀b',
  LONG,
  `${LONG}a`,
  `${LONG}b`,
  `${LONG}${LONG}`,
);

const numbers = fc.constantFrom(
  0,
  -0,
  1,
  -1,
  2,
  10,
  0.1,
  -0.5,
  255,
  256,
  65_536,
  1e21,
  -1e21,
  2 ** 53,
  2 ** 53 + 2,
  5e-324,
  -5e-324,
  1.797e308,
);

export const scalars: fc.Arbitrary<JsonScalar> = fc.oneof(
  strings,
  numbers,
  fc.constantFrom(null, true, false),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Decimals in strings that are equal in several ways, near to each other, and out of the reach of doubles. */
const decimals = fc.oneof(
  fc.constantFrom(
    '0',
    '-0.0',
    '1',
    '1.0',
    '-1',
    '10',
    '9',
    '0.1',
    '0.10',
    '-0.5',
    '9007199254740993',
    '9007199254740992',
    '0.30000000000000001',
    '0.3',
    `1${'0'.repeat(300)}`,
    `-1${'0'.repeat(300)}.5`,
  ),
  fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^[0-9]{0,3}$/))
    .map(([isNegative, whole, part]) => `${isNegative ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`),
);

/** Date-times that are equal in several ways, and near to each other. */
const dateTimes = fc
  .tuple(
    fc.constantFrom(
      '2026-11-28T11:00:00',
      '2026-11-28T11:00:01',
      '2026-11-28t23:59:59',
      '1969-12-31T20:00:00',
    ),
    fc.constantFrom('', '.0', '.5', '.50', '.55', '.499999999999', '.000000000000000001'),
    fc.constantFrom('Z', 'z', '+00:00', '+09:00', '-05:00', '+0530'),
  )
  .map((parts) => parts.join(''));

/** What the two fields of decimals hold; the second one also other types. */
const AMOUNT: fc.Arbitrary<JsonValue> = decimals;
const BALANCE: fc.Arbitrary<JsonValue> = fc.oneof(decimals, fc.constantFrom<JsonValue>(null, 1, ['1.0'], {}));

const values: fc.Arbitrary<JsonValue> = fc.oneof(
  { arbitrary: scalars, weight: 6 },
  {
    arbitrary: fc.array(fc.oneof(scalars, fc.array(scalars, { maxLength: 2 }), fc.constant({ a: 1 })), {
      maxLength: 3,
    }),
    weight: 2,
  },
  {
    arbitrary: fc.constantFrom<JsonValue>({}, { a: 1 }, [{}], [[]], ['a', 1], [1, 'a'], [true, null]),
    weight: 1,
  },
);

/** Fields of the random records: plain, nested, escaped, inherited names, array elements, never there. */
const POINTERS = [
  '/id',
  '/a',
  '/b',
  '/c',
  '/n/x',
  '/n/y/z',
  '/list',
  '/list/0',
  '/list/1',
  '/s~1l~0sh',
  '/__proto__',
  '/constructor',
  '/a/length',
  '/never',
] as const;

/** Sortable, and filterable only. */
const DECIMAL_POINTERS = ['/amount', '/sum/balance'] as const;

const DATE_TIME_POINTER = '/at';

export const COLLATIONS: ReadonlyMap<string, Collation> = new Map<string, Collation>([
  ...DECIMAL_POINTERS.map((pointer) => [pointer, 'decimal'] as const),
  [DATE_TIME_POINTER, 'date-time'],
]);

export const SORTABLE = ['/amount', '/at', '/id', '/a', '/n/x', '/list', '/constructor', '/never'] as const;

const NAMES = ['a', 'b', 'c', 'list', 's/l~sh', '__proto__', 'constructor'] as const;

/** Any record of the resource below; `id` comes with it. */
export const bodies: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...NAMES), values), { maxLength: 7 }),
    fc.option(fc.record({ x: values, y: fc.oneof(values, fc.record({ z: values })) }, { requiredKeys: [] }), {
      nil: undefined,
    }),
  )
  .chain(([members, nested]) =>
    fc
      .record({ amount: AMOUNT, at: dateTimes, sum: fc.record({ balance: BALANCE }) }, { requiredKeys: [] })
      .map((wide) =>
        // fromEntries makes own members, of __proto__ too.
        Object.fromEntries<JsonValue>([
          ...members,
          ...(nested === undefined ? [] : [['n', nested as JsonObject] as const]),
          ...Object.entries(wide as JsonObject),
        ]),
      ),
  );

/** JSON of a comparison: any field, any operator, an operand that is valid for it. */
const comparisons: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.constantFrom(...POINTERS),
    fc.oneof(
      fc.tuple(fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'), scalars),
      fc.tuple(fc.constantFrom('eq', 'ne', 'gt', 'lte', 'contains'), fc.array(scalars, { maxLength: 2 })),
      fc.tuple(fc.constantFrom('in', 'nin'), fc.array(scalars, { maxLength: 4 })),
      fc.tuple(fc.constantFrom('starts_with', 'ends_with', 'contains'), strings),
      fc.tuple(fc.constant('exists'), fc.boolean()),
    ),
  )
  .map(([pointer, [operator, operand]]) => ({ [pointer]: { [operator]: operand } }));

/** JSON of a comparison of fields that compare by value. */
const collatedComparisons = (
  pointers: readonly string[],
  texts: fc.Arbitrary<string>,
): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.constantFrom(...pointers),
      fc.oneof(
        fc.tuple(
          fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
          fc.oneof({ arbitrary: texts, weight: 9 }, { arbitrary: fc.constant(null), weight: 1 }),
        ),
        fc.tuple(fc.constantFrom('in', 'nin'), fc.array(texts, { maxLength: 4 })),
        fc.tuple(fc.constant('exists'), fc.boolean()),
      ),
    )
    .map(([pointer, [operator, operand]]) => ({ [pointer]: { [operator]: operand } }));

/** JSON of a filter. */
export const filters: fc.Arbitrary<JsonObject> = fc.letrec<{ filter: JsonObject; list: JsonObject[] }>(
  (tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { arbitrary: comparisons, weight: 5 },
      { arbitrary: collatedComparisons(DECIMAL_POINTERS, decimals), weight: 2 },
      { arbitrary: collatedComparisons([DATE_TIME_POINTER], dateTimes), weight: 2 },
      { arbitrary: tie('list').map(($and) => ({ $and })), weight: 2 },
      { arbitrary: tie('list').map(($or) => ({ $or })), weight: 2 },
      { arbitrary: tie('filter').map(($not) => ({ $not })), weight: 1 },
    ),
    list: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
  }),
).filter;

/** Text of a `sort` parameter. */
export const sorts: fc.Arbitrary<string> = fc
  .tuple(fc.subarray([...SORTABLE], { maxLength: 3 }), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
  .map(([pointers, descending]) =>
    pointers.map((pointer, index) => `${descending[index] === true ? '-' : ''}${pointer}`).join(','),
  );

/** Every kind of index: whole (the sortable ones), prefix, and none. */
export const things: ResourceDefinition = {
  name: 'things',
  idPointer: '/id',
  schema: {
    type: 'object',
    properties: {
      amount: { type: 'string', format: 'decimal' },
      at: { type: 'string', format: 'date-time' },
      sum: {
        properties: {
          balance: { anyOf: [{ type: 'string', format: 'decimal' }, { not: { type: 'string' } }] },
        },
      },
    },
  },
  filterableFields: {
    ...Object.fromEntries(
      POINTERS.map((pointer) => [pointer, pointer === '/c' ? ['contains', 'ends_with'] : ['eq', 'contains']]),
    ),
    ...Object.fromEntries([...COLLATIONS.keys()].map((pointer) => [pointer, ['eq', 'gt']])),
  },
  sortableFields: SORTABLE,
};
