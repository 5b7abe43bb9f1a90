import { expect, test } from 'vitest';
import { StoreOptionsError } from '../../errors/index.ts';
import { checkResourceDefinition } from './resolve-resource.ts';

const stations = { name: 'stations', idPointer: '/id', schema: { type: 'object' } };

test('a definition that can be used passes', () => {
  expect(() => checkResourceDefinition({ ...stations, sortableFields: ['/name'] })).not.toThrow();
});

test.each([
  ['a name', { ...stations, name: 'Stations' }, 'does not match'],
  ['a schema', { ...stations, schema: { type: 'strange' } }, 'the schema cannot be used'],
  ['a field', { ...stations, sortableFields: ['name'] }, 'is not a JSON Pointer'],
  ['an event', { ...stations, events: [{ name: 'Made', transition: 'create' as const }] }, 'event name'],
])('%s that cannot be used is refused without a database', (_what, definition, says) => {
  expect(() => checkResourceDefinition(definition)).toThrow(StoreOptionsError);
  expect(() => checkResourceDefinition(definition)).toThrow(says);
});
