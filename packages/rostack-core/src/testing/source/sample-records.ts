import { compileFilter } from '../../query/filter/compile-filter.ts';
import type { Filter } from '../../query/filter/filter.ts';
import { FILTER_OPERATOR_NAMES, type FilterOperator } from '../../query/filter/operator-names.ts';
import { parseFilter } from '../../query/filter/parse-filter.ts';
import { parsePointer, resolvePointer } from '../../query/pointer/pointer.ts';
import { parseSort, type SortKey } from '../../query/sort/sort.ts';
import { isArray, type JsonObject, type JsonScalar, type JsonValue, type RecordId } from '../../text/json.ts';
import type { SeededRandom } from '../check/seeded-random.ts';

/** What the checks write into a source, and how they query it. */
export interface SampleRecords {
  /** At least 8, all different. */
  readonly ids: readonly RecordId[];
  /** A record with this id in its member `id`. It differs from call to call, but with few values, so that some are equal. */
  readonly record: (id: RecordId, random: SeededRandom) => JsonObject;
  /** Filterable fields as JSON Pointers, and the operators for each. */
  readonly filterable: Readonly<Record<string, 'all' | readonly FilterOperator[]>>;
  /** Sortable fields as JSON Pointers. */
  readonly sortable: readonly string[];
}

const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'b',
  '9',
  '10',
  'true',
  '%',
  '_',
  "'",
  'é',
  'e\u0301',
  '한글',
  '\uffee',
  '😀',
];
const NUMBERS = [0, 1, -1, 2, 9, 10, 0.1, -0.5, 255, 256, 1e21, 9007199254740991];

/** Records whose members are of all types or missing, with texts and numbers that are easy to sort wrongly. */
export const MIXED_RECORDS: SampleRecords = {
  ids: [
    'a',
    'B',
    'b',
    '10',
    '9',
    '한',
    'é',
    '\uffee',
    '\ufffd',
    '😀',
    'a/b',
    'a b',
    '%',
    '_',
    "it's",
    'x'.repeat(200),
  ],
  record: (id, random) => {
    const scalar = (): JsonScalar => {
      if (random.oneIn(3)) return random.pick([null, true, false]);
      return random.oneIn(2) ? random.pick(NUMBERS) : random.pick(TEXTS);
    };
    const any = (): JsonValue => {
      return random.oneIn(4) ? random.pick<JsonValue>([[scalar(), scalar()], { a: scalar() }, []]) : scalar();
    };
    const members: [string, JsonValue][] = [
      ['id', id],
      ['group', random.pick(['a', 'b'])],
      ['name', random.pick(TEXTS)],
      ['rank', any()],
      ['list', [scalar(), scalar()]],
      ['nested', { x: any() }],
    ];
    return Object.fromEntries(members.filter(([name]) => name === 'id' || !random.oneIn(5)));
  },
  filterable: { '/group': 'all', '/name': 'all', '/rank': 'all', '/list': 'all', '/nested/x': 'all' },
  sortable: ['/group', '/name', '/rank', '/nested/x'],
};

/** A filter on the fields of a sample, by values from the records; undefined if no field is filterable. */
export function randomFilter(
  { filterable }: SampleRecords,
  records: readonly JsonObject[],
  random: SeededRandom,
): Filter | undefined {
  const pointers = Object.keys(filterable);
  if (pointers.length === 0) return undefined;
  const comparison = (): JsonObject => {
    const pointer = random.pick(pointers);
    const operators = filterable[pointer] ?? 'all';
    const operator = random.pick(operators === 'all' ? FILTER_OPERATOR_NAMES : operators);
    const path = parsePointer(pointer);
    const values = records.flatMap((record) => scalarsIn(resolvePointer(record, path)));
    return { [pointer]: { [operator]: operandFor(operator, values, random) } };
  };
  const combined = random.pick<() => JsonObject>([
    comparison,
    comparison,
    () => ({ $and: [comparison(), comparison()] }),
    () => ({ $or: [comparison(), comparison()] }),
    () => ({ $not: comparison() }),
  ]);
  return parseFilter(combined());
}

/** A filter that some of the records match and others do not; undefined if none was found. */
export function dividingFilter(
  sample: SampleRecords,
  records: readonly JsonObject[],
  random: SeededRandom,
): Filter | undefined {
  for (let tries = 0; tries < 100; tries += 1) {
    const filter = randomFilter(sample, records, random);
    if (filter === undefined) return undefined;
    const matches = records.filter(compileFilter(filter)).length;
    if (matches > 0 && matches < records.length) return filter;
  }
  return undefined;
}

/** An order by at least `min` fields of a sample; by fewer if fewer are sortable. */
export function randomSort({ sortable }: SampleRecords, random: SeededRandom, min: number): SortKey[] {
  const keys = random.some(sortable, min, 3).map((pointer) => (random.oneIn(2) ? `-${pointer}` : pointer));
  return keys.length === 0 ? [] : parseSort(keys.join(','), sortable);
}

function scalarsIn(value: JsonValue | undefined): JsonScalar[] {
  if (isArray(value)) return value.flatMap(scalarsIn);
  return value === undefined || (typeof value === 'object' && value !== null) ? [] : [value];
}

function operandFor(
  operator: FilterOperator,
  values: readonly JsonScalar[],
  random: SeededRandom,
): JsonValue {
  const value = () => (values.length === 0 ? null : random.pick(values));
  if (operator === 'exists') return random.oneIn(2);
  if (operator === 'in' || operator === 'nin') return [value(), value(), value()];
  if (operator !== 'starts_with' && operator !== 'ends_with') return value();
  const texts = values.filter((each) => typeof each === 'string');
  const characters = texts.length === 0 ? [] : Array.from(random.pick(texts));
  const part = operator === 'starts_with' ? characters.slice(0, 1) : characters.slice(-1);
  return part.join('');
}
