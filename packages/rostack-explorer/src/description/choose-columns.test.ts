import { expect, test } from 'vitest';
import { chooseColumns, possibleColumns } from './choose-columns.ts';
import type { ExplorerField } from './explorer-data.ts';

const field = (path: string, more: Partial<ExplorerField> = {}): ExplorerField => ({
  path,
  pointer: `/${path}`,
  tokens: [path],
  types: ['string'],
  format: undefined,
  values: undefined,
  operators: [],
  sortable: false,
  nested: false,
  description: undefined,
  maxLength: undefined,
  ...more,
});

test('a wide record begins with its id and what can be filtered, sorted or read at a glance', () => {
  const fields = [
    field('notes', { maxLength: 10_000 }),
    field('attrs', { format: 'json-text' }),
    field('tags', { types: ['array'], nested: true }),
    field('place', { types: ['object'], nested: true }),
    field('one'),
    field('two'),
    field('state', { values: ['new', 'paid'] }),
    field('total', { types: ['number'] }),
    field('three'),
    field('placed_at', { format: 'date-time', sortable: true }),
    field('customer', { operators: ['eq'] }),
    field('four'),
    field('number', { types: ['integer'] }),
  ];
  const columns = possibleColumns({ fields, idPath: ['number'] });
  expect(columns).toHaveLength(12);
  expect(chooseColumns(columns).map(({ path }) => path)).toEqual([
    'number',
    'one',
    'two',
    'state',
    'total',
    'three',
    'placed_at',
    'customer',
  ]);
});

test('a narrow record shows everything that is no object', () => {
  const columns = possibleColumns({
    fields: [field('text', { maxLength: 999 }), field('id')],
    idPath: ['id'],
  });
  expect(chooseColumns(columns).map(({ path }) => path)).toEqual(['id', 'text']);
});
