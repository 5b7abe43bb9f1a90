import { expect, test } from 'vitest';
import type { JsonObject } from '../../index.ts';
import { schemaWithoutFields } from './schema-without-fields.ts';

const pay: JsonObject = { type: 'object', properties: { grade: { type: 'string' }, bonus: {} } };
const person = (rules: JsonObject): JsonObject => ({
  type: 'object',
  properties: { id: { type: 'string' }, pay: { ...pay, ...rules } },
});

test.each<[string, JsonObject]>([
  ['a reference', { $ref: '#/$defs/pay' }],
  ['a dynamic reference', { $dynamicRef: '#pay' }],
  ['all of several schemas', { allOf: [{ required: ['bonus'] }] }],
  ['any of several schemas', { anyOf: [{ required: ['bonus'] }] }],
  ['one of several schemas', { oneOf: [{ required: ['bonus'] }] }],
  ['what it is not', { not: { required: ['grade'] } }],
  ['a condition', { if: { required: ['grade'] }, else: false }],
  ['members that need others', { dependentRequired: { grade: ['bonus'] } }],
  ['schemas that members bring', { dependentSchemas: { grade: { required: ['bonus'] } } }],
  ['how many members it has', { minProperties: 2 }],
  ['patterns of names', { patternProperties: { '^b': {} } }],
])('a field is not hidden in an object that is described by %s', (_what, rules) => {
  const [keyword] = Object.keys(rules);
  expect(schemaWithoutFields(person(rules), ['/pay/bonus'])).toEqual({
    pointer: '/pay/bonus',
    message: `/pay/bonus cannot be hidden: the object that holds it is described by ${keyword}; describe it by properties alone`,
  });
  // Beside the field they say nothing of it.
  expect(schemaWithoutFields(person(rules), ['/pay'])).toMatchObject({
    schema: { properties: { id: { type: 'string' } } },
  });
});
