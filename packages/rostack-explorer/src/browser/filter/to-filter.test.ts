import fc from 'fast-check';
import { checkFilter, FILTER_OPERATOR_NAMES, type FilterOperator, parseFilter } from 'rostack-core';
import { expect, test } from 'vitest';
import type { ExplorerField } from '../../description/explorer-data.ts';
import { type Condition, newCondition, valueInputFor, withOperator } from './condition.ts';
import { toFilter } from './to-filter.ts';

const field = (pointer: string, rest: Partial<ExplorerField>): ExplorerField => ({
  pointer,
  tokens: pointer.slice(1).split('/'),
  path: pointer.slice(1).replaceAll('/', '.'),
  types: ['string'],
  format: undefined,
  values: undefined,
  operators: FILTER_OPERATOR_NAMES,
  sortable: false,
  nested: false,
  description: undefined,
  maxLength: undefined,
  ...rest,
});

const FIELDS: readonly ExplorerField[] = [
  field('/name', {}),
  field('/height', { types: ['number'] }),
  field('/open', { types: ['boolean'] }),
  field('/state', { values: ['on', 'off'] }),
  field('/level', { types: ['integer', 'null'], values: [1, 2, null] }),
  field('/at', { format: 'date-time' }),
  field('/day', { format: 'date' }),
  field('/any', { types: [] }),
  field('/tags', { types: ['array'], nested: true }),
];

const [name, height, open, state, , at, , any] = FIELDS as unknown as readonly [
  ExplorerField,
  ...ExplorerField[],
];

/** A row as a visitor leaves it. */
const row = (of: ExplorerField | undefined, operator: FilterOperator, ...texts: string[]): Condition => ({
  key: 1,
  pointer: of?.pointer ?? '',
  operator,
  texts,
});

const filterOf = (...conditions: Condition[]) => toFilter(conditions, 'all', FIELDS).filter;

test('any rows make a filter that the server takes, or a fault for each row that cannot be read', () => {
  const anyRow = fc
    .record({
      of: fc.constantFrom(...FIELDS),
      operator: fc.constantFrom(...FILTER_OPERATOR_NAMES),
      text: fc.oneof(fc.string(), fc.constantFrom('12', 'true', '2026-11-21T09:30', '2026-11-21', 'a, b')),
      isTouched: fc.boolean(),
    })
    .map(({ of, operator, text, isTouched }) => {
      const fresh = withOperator(newCondition(0, of), of, operator);
      const isTyped = !['presence', 'boolean', 'choice', 'choices'].includes(valueInputFor(of, operator));
      return isTouched && isTyped ? { ...fresh, texts: [text] } : fresh;
    });
  const filterable = Object.fromEntries(FIELDS.map(({ pointer }) => [pointer, [...FILTER_OPERATOR_NAMES]]));
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 6 }), fc.constantFrom('all', 'any'), (rows, match) => {
      const conditions = rows.map((each, key) => ({ ...each, key }));
      const { filter, faults } = toFilter(conditions, match, FIELDS);
      expect([...(faults ?? new Map<number, string>()).keys()].every((key) => key < rows.length)).toBe(true);
      if (filter !== undefined) {
        checkFilter(parseFilter(filter), { filterable_fields: filterable }, FILTER_OPERATOR_NAMES);
      }
      const isEmpty = rows.length === 0;
      expect(filter === undefined).toBe(isEmpty || (faults?.size ?? 0) > 0);
    }),
  );
});

test('values have the type of their field', () => {
  expect(filterOf(row(height, 'gte', '12.5'))).toEqual({ '/height': { gte: 12.5 } });
  expect(filterOf(row(name, 'eq', '12'))).toEqual({ '/name': { eq: '12' } });
  expect(filterOf(row(any, 'eq', '12'))).toEqual({ '/any': { eq: 12 } });
  expect(filterOf(row(open, 'eq', 'false'))).toEqual({ '/open': { eq: false } });
  expect(filterOf(row(open, 'exists', 'false'))).toEqual({ '/open': { exists: false } });
  expect(filterOf(row(state, 'in', '"on"', '"off"'))).toEqual({ '/state': { in: ['on', 'off'] } });
  expect(filterOf(row(name, 'in', 'a, b'))).toEqual({ '/name': { in: ['a', 'b'] } });
  expect(filterOf(row(at, 'gte', '2026-11-21T09:30'))).toEqual({
    '/at': { gte: '2026-11-21T09:30:00.000Z' },
  });
});

test('rows are combined', () => {
  const low = row(height, 'gte', '1');
  const high = { ...row(height, 'lt', '9'), key: 2 };
  const named = { ...row(name, 'eq', 'x'), key: 3 };
  expect(filterOf()).toBeUndefined();
  expect(filterOf(low, named)).toEqual({ '/height': { gte: 1 }, '/name': { eq: 'x' } });
  expect(filterOf(low, high)).toEqual({ $and: [{ '/height': { gte: 1 } }, { '/height': { lt: 9 } }] });
  expect(toFilter([low, named], 'any', FIELDS).filter).toEqual({
    $or: [{ '/height': { gte: 1 } }, { '/name': { eq: 'x' } }],
  });
});

test('an integer that would be rounded is not taken', () => {
  const faultOf = (text: string) => toFilter([row(height, 'gt', text)], 'all', FIELDS).faults?.get(1);
  expect(faultOf('9007199254740993')).toBe('Enter a number with fewer digits: this one would be rounded.');
  expect(faultOf('9007199254740992')).toBeUndefined();
  expect(faultOf('0.1')).toBeUndefined();
});
