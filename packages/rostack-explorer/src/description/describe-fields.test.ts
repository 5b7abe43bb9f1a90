import { defineImplementation, type JsonSchema } from 'rostack-core';
import { expect, test } from 'vitest';
import type { FieldDescription } from './describe-fields.ts';
import { describeFields } from './describe-fields.ts';

function fieldsOf(model: JsonSchema, rest: object = {}): readonly FieldDescription[] {
  const { resources, schemas } = defineImplementation({
    id: 'i',
    name: 'I',
    apiVersion: '1',
    documentationUrl: 'https://a.example/',
    baseUrl: 'https://a.example',
    permissions: { 'things:read': 'Read.' },
    resources: { things: { model, readPermissions: ['things:read'], ...rest } },
  });
  return describeFields(resources.things, schemas);
}

const object = (properties: JsonSchema, rest: object = {}): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...rest,
});

const summary = (fields: readonly FieldDescription[]) =>
  fields.map(({ path, types, required }) => [path, types.join(' or '), required ? 'required' : 'optional']);

test('nested members, arrays of objects, references and combinators all stand in the list', () => {
  const fields = fieldsOf(
    object(
      {
        id: { type: 'string' },
        place: { $ref: '#/$defs/place' },
        tags: { type: 'array', items: { type: 'string' } },
        parts: { type: 'array', items: object({ no: { type: 'integer' } }, { required: ['no'] }) },
        note: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] },
      },
      {
        required: ['id', 'place'],
        $defs: {
          place: object({ lat: { type: 'number', minimum: -90, maximum: 90 } }, { required: ['lat'] }),
        },
      },
    ),
  );
  expect(summary(fields)).toEqual([
    ['id', 'string', 'required'],
    ['place', 'object', 'required'],
    ['place.lat', 'number', 'required'],
    ['tags', 'array', 'optional'],
    ['parts', 'array', 'optional'],
    ['parts[].no', 'integer', 'required'],
    ['note', 'string or null', 'optional'],
  ]);
  expect(fields.map(({ pointer }) => pointer)).toContain('/place/lat');
  expect(fields.find(({ path }) => path === 'parts[].no')?.pointer).toBeUndefined();
  expect(fields.find(({ path }) => path === 'place.lat')?.limits).toEqual(['-90 to 90']);
});

test('what is offered is listed with its field', () => {
  const fields = fieldsOf(
    object(
      {
        id: { type: 'string', description: 'Which.' },
        state: { enum: ['on', 'off'] },
        at: { type: 'string', format: 'date-time' },
      },
      { required: ['id'] },
    ),
    { filterable: { '/state': ['eq', 'in'] }, sortable: ['/at'] },
  );
  expect(fields).toMatchObject([
    { path: 'id', description: 'Which.', operators: [], sortable: false },
    { path: 'state', types: ['string'], values: ['on', 'off'], operators: ['eq', 'in'] },
    { path: 'at', format: 'date-time', sortable: true },
  ]);
});

test('a schema that holds itself ends', () => {
  const fields = fieldsOf(
    object(
      { id: { type: 'string' }, parent: { $ref: '#/$defs/node' } },
      {
        required: ['id'],
        $defs: { node: object({ name: { type: 'string' }, parent: { $ref: '#/$defs/node' } }) },
      },
    ),
  );
  const paths = fields.map(({ path }) => path);
  expect(paths.slice(0, 3)).toEqual(['id', 'parent', 'parent.name']);
  expect(paths.length).toBeLessThan(10);
});
