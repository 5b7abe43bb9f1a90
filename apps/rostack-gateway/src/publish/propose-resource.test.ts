import { expect, test } from 'vitest';
import type { CatalogueColumn, CatalogueTable } from './catalogue/catalogue.ts';
import { postgresColumnSchema } from './catalogue/column-schema.ts';
import { proposeFileResource, proposeResource, resourceNameOf, resourceNames } from './propose-resource.ts';

const column = (name: string, more: Partial<CatalogueColumn> = {}): CatalogueColumn => ({
  name,
  type: 'text',
  schema: { type: 'string' },
  as: undefined,
  isNullable: false,
  isOptional: false,
  description: undefined,
  isIndexed: false,
  distinctCount: undefined,
  isLong: false,
  ...more,
});

const table = (
  columns: readonly CatalogueColumn[],
  key: readonly string[],
  more: Partial<CatalogueTable> = {},
): CatalogueTable => ({
  schema: 'public',
  name: 'orders',
  description: undefined,
  rowCount: 10,
  columns,
  key,
  isPartition: false,
  fault: undefined,
  ...more,
});

test('a field can be filtered by where an index has it or it has few values, and sorted by where it is short', () => {
  const { filterable, sortable } = proposeResource(
    table(
      [
        column('no', { schema: { type: 'integer' } }),
        column('indexed', { isIndexed: true }),
        column('few', { distinctCount: 100 }),
        column('many', { distinctCount: 101, isLong: true }),
        column('flag', { schema: { type: 'boolean' } }),
        column('kind', { schema: { type: 'string', enum: ['a'] } }),
        column('tags', { schema: { type: 'array', items: { type: 'string' } }, isIndexed: true }),
        column('attrs', {
          schema: { type: 'string', contentMediaType: 'application/json' },
          isIndexed: true,
        }),
      ],
      ['no'],
    ),
    'orders',
    ['indexed', 'few', 'many', 'flag', 'kind', 'tags', 'attrs'],
  );
  expect(filterable).toEqual(['/no', '/indexed', '/few', '/flag', '/kind']);
  expect(sortable).toEqual(['/no', '/indexed', '/few', '/kind']);
});

test('null is allowed where the column allows it, and a key of several columns is a member of its own', () => {
  const columns = [
    column('row_key'),
    column('line', { schema: { type: 'integer' } }),
    column('kind', {
      schema: { type: 'string', enum: ['a', 'b'] },
      isNullable: true,
      description: 'What it is.',
    }),
  ];
  const { id, schema, source } = proposeResource(table(columns, ['row_key', 'line']), 'lines', [
    'row_key',
    'kind',
  ]);
  expect(id).toBe('/row_key-2');
  expect(schema).toMatchObject({
    properties: {
      'row_key-2': { type: 'string' },
      kind: { type: ['string', 'null'], enum: ['a', 'b', null], description: 'What it is.' },
    },
    required: ['row_key-2', 'row_key', 'kind'],
    additionalProperties: false,
  });
  expect(source).toEqual({ table: 'public.orders', key: ['row_key', 'line'], columns: ['row_key', 'kind'] });
});

test('the key is among the columns, since a list of none would be all of them, and is a text where it has digits', () => {
  const id = column('id', { schema: { type: 'string', format: 'decimal' }, as: 'decimal-string' });
  const { schema, source } = proposeResource(table([id, column('phone')], ['id']), 'people', []);
  expect(source?.columns).toEqual(['id']);
  expect(schema).toMatchObject({ properties: { id: { type: 'string' } }, required: ['id'] });
});

test('what is not chosen of a file is kept and hidden', () => {
  const columns = [
    column('id'),
    column('name', { distinctCount: 1, isOptional: true }),
    column('phone', { distinctCount: 1 }),
  ];
  const resource = proposeFileResource(table(columns, ['id']), 'people', ['id', 'name']);
  expect(resource).toMatchObject({
    source: undefined,
    hidden: ['/phone'],
    hiddenPermission: 'people:private',
  });
  expect(resource).toMatchObject({ filterable: ['/id', '/name'], sortable: ['/id', '/name'] });
  expect(resource.schema).toMatchObject({ required: ['id', 'phone'] });
});

test('names of resources are what the protocol allows, and never the same twice', () => {
  expect(['OrderLines', 'order_lines', '2024 Sales', 'Größe', '주문'].map(resourceNameOf)).toEqual([
    'order-lines',
    'order-lines',
    'sales',
    'gro-e',
    'records',
  ]);
  const tables = ['public', 'archive', 'archive'].map((schema) => table([], [], { schema }));
  expect([...resourceNames(tables).values()]).toEqual(['orders', 'archive-orders', 'archive-orders-2']);
});

test.each([
  ['numeric', { schema: { type: 'string', format: 'decimal' }, as: 'decimal-string' }],
  ['timestamptz', { schema: { type: 'string', format: 'date-time' }, as: undefined }],
  ['jsonb', { schema: { type: 'string', contentMediaType: 'application/json' }, as: 'json-text' }],
  ['uuid', { schema: { type: 'string', format: 'uuid' }, as: undefined }],
  [null, { schema: { type: 'string' }, as: 'text' }],
])('a column of %s', (typeName, expected) => {
  expect(postgresColumnSchema({ typeName, isArray: false, labels: null })).toEqual(expected);
});

test('an array is one where the gateway reads arrays of its elements, and a text elsewhere', () => {
  const ofType = (typeName: string) => postgresColumnSchema({ typeName, isArray: true, labels: ['a'] });
  expect(ofType('int4').schema).toEqual({ type: 'array', items: { type: ['integer', 'null'] } });
  expect(ofType('enum').schema).toEqual({
    type: 'array',
    items: { type: ['string', 'null'], enum: ['a', null] },
  });
  expect(ofType('timestamptz')).toEqual({ schema: { type: 'string' }, as: 'text' });
});
