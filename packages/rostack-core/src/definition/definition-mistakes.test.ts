import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { observatory, Station } from '../../test/support/observatory.ts';
import { DefinitionError, defineImplementation, type ImplementationDeclaration } from '../index.ts';

/** The mistakes of a declaration as `path: message`. */
function mistakes(declaration: unknown): string[] {
  const error = thrownBy(() => defineImplementation(declaration as ImplementationDeclaration));
  if (error === undefined) return [];
  if (!(error instanceof DefinitionError)) throw error;
  return error.faults.map(({ path, message }) => `${path}: ${message}`);
}

const withStation = (change: object): unknown => ({
  ...observatory,
  resources: { stations: { ...observatory.resources.stations, ...change } },
});

test.each<[string, unknown, string]>([
  [
    'a member that is unknown',
    withStation({ readPermission: [] }),
    '/resources/stations/readPermission: is not a member',
  ],
  [
    'an API version that no header field carries',
    { ...observatory, apiVersion: '7β' },
    '/apiVersion: must be printable ASCII without a space at either end',
  ],
  ['an empty API version', { ...observatory, apiVersion: '' }, '/apiVersion: must be printable ASCII'],
  [
    'a space after an API version',
    { ...observatory, apiVersion: '7 ' },
    '/apiVersion: must be printable ASCII',
  ],
  [
    'a model that is missing',
    withStation({ model: undefined }),
    '/resources/stations/model: must be a Zod model',
  ],
  [
    'a permission that is unknown',
    withStation({ readPermissions: ['x:y'] }),
    '/resources/stations/readPermissions/0: "x:y" must be listed in',
  ],
  [
    'no permission to read',
    withStation({ readPermissions: [] }),
    '/resources/stations/readPermissions: must name at least one',
  ],
  [
    'a row rule that is none',
    withStation({ visible: { rule: () => 'all' } }),
    '/resources/stations/visible: must be a function, or an object of a function as rule',
  ],
  [
    'a row rule by an operator that is none',
    withStation({ visible: { rule: () => 'all', fields: [{ pointer: '/name', operator: 'is' }] } }),
    '/resources/stations/visible: must be a function, or',
  ],
  [
    'a row rule on no field',
    withStation({ visible: { rule: () => 'all', fields: [{ pointer: '/nome', operator: 'eq' }] } }),
    '/resources/stations/visible/fields/0: /nome is not a field',
  ],
  [
    'a filter on no field',
    withStation({ filterable: { '/nome': 'all' } }),
    '/resources/stations/filterable/~1nome: /nome is not a field',
  ],
  [
    'an operator that is none',
    withStation({ filterable: { '/name': ['like'] } }),
    '/resources/stations/filterable/~1name/0: ',
  ],
  [
    'an operator of texts for decimals',
    withStation({
      model: z.object({ id: z.string(), price: z.string().meta({ format: 'decimal' }) }),
      filterable: { '/price': ['gt', 'contains'] },
      sortable: ['/price'],
      representations: [],
      events: {},
    }),
    '/resources/stations/filterable/~1price: /price has decimals, which compare as numbers: contains is for strings; choose from eq, ne, gt, gte, lt, lte, in, nin, exists',
  ],
  [
    'a sort by an object',
    withStation({ sortable: ['/position'] }),
    '/resources/stations/sortable/0: /position is an array or an object',
  ],
  [
    'an id that is any number',
    withStation({ id: '/height' }),
    '/resources/stations/id: /height must be a string and nothing else, or an integer and nothing else',
  ],
  [
    'an id that is a string or an integer',
    withStation({ model: z.object({ id: z.union([z.string(), z.int()]) }) }),
    '/resources/stations/id: /id must be a string and nothing else, or an integer',
  ],
  [
    'an id that is an integer or null',
    withStation({ model: z.object({ id: z.int().nullable() }) }),
    '/resources/stations/id: /id must be a string and nothing else, or an integer',
  ],
  [
    'ids that are listed, not all of them integers',
    withStation({ model: z.object({ id: z.literal([1, 2.5]) }) }),
    '/resources/stations/id: /id must be a string and nothing else, or an integer',
  ],
  [
    'a media type that is none',
    withStation({
      representations: [
        { mediaType: 'text/x', model: Station },
        { mediaType: 'geo', model: Station },
      ],
    }),
    '/resources/stations/representations/1: must be a media type',
  ],
  [
    'a media type twice',
    withStation({
      representations: [
        { mediaType: 'application/geo+json', model: Station },
        { mediaType: 'application/GEO+json', model: Station },
      ],
    }),
    '/resources/stations/representations/1/mediaType: application/GEO+json is a representation already',
  ],
  [
    'application/json as a further representation',
    withStation({ representations: [{ mediaType: 'application/json', model: Station }] }),
    '/resources/stations/representations/0/mediaType: application/json is a representation already',
  ],
  [
    'an id that may be missing',
    withStation({ model: Station.partial() }),
    '/resources/stations/id: /id must be required',
  ],
  [
    'an id that is no pointer',
    withStation({ id: 'id' }),
    '/resources/stations/id: "id" must be a JSON Pointer',
  ],
  [
    'a date in the model',
    withStation({ model: z.object({ id: z.string(), at: z.date() }) }),
    '/resources/stations/model: has no JSON Schema: ',
  ],
  [
    'a model of a library that has no JSON Schemas',
    withStation({ model: { '~standard': { version: 1, vendor: 'acme', validate: () => ({ value: 1 }) } } }),
    '/resources/stations/model: has no JSON Schema: acme does not say it (Standard JSON Schema): convert the model',
  ],
  [
    'an open object',
    withStation({ model: z.looseObject({ id: z.string() }) }),
    '/resources/stations/model: the schema at /additionalProperties must be false',
  ],
  [
    'a map',
    withStation({ model: z.object({ id: z.string(), m: z.record(z.string(), z.string()) }) }),
    '/resources/stations/model: the schema at /properties/m/additionalProperties must be false',
  ],
  [
    'anything goes',
    withStation({ model: z.object({ id: z.string(), any: z.unknown() }) }),
    '/resources/stations/model: the schema at /properties/any accepts objects with any members',
  ],
  [
    'another dialect',
    withStation({
      model: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { id: { type: 'string' } },
      },
    }),
    '/resources/stations/model: is of another dialect',
  ],
  [
    'a resource name in capitals',
    { ...observatory, resources: { Stations: observatory.resources.stations } },
    '/resources/Stations: must be a resource name',
  ],
  [
    'an event name in capitals',
    withStation({ events: { Created: { transition: 'create' } } }),
    '/resources/stations/events/Created: must be an event name',
  ],
  [
    'event filtering without all events',
    withStation({ events: {}, eventFiltering: true }),
    '/resources/stations/eventFiltering: needs exactly one event',
  ],
  [
    'a plain http base',
    { ...observatory, baseUrl: 'http://observatory.example' },
    '/baseUrl: must be an absolute https URL',
  ],
  ['a page size of zero', { ...observatory, limits: { maxPageSize: 0 } }, '/limits/maxPageSize: '],
  [
    'a heartbeat that is too slow',
    { ...observatory, limits: { heartbeatTimeoutMs: 60_000 } },
    '/limits/heartbeatTimeoutMs: must be at most',
  ],
  [
    'a permission in capitals',
    { ...observatory, permissions: { ...observatory.permissions, Read: 'x' } },
    '/permissions/Read: ',
  ],
  [
    'no method of authentication',
    { ...observatory, authentication: { sharedToken: false } },
    '/authentication: must name at least one method',
  ],
  ['nothing at all', undefined, ': is required'],
])('%s is a mistake with a place', (_, declaration, expected) => {
  expect(mistakes(declaration)).toContainEqual(expect.stringContaining(expected));
});

test('a permission that is not declared does not compile', () => {
  expect(() =>
    defineImplementation({
      ...observatory,
      permissions: { 'stations:read': 'Read' },
      resources: {
        stations: {
          model: Station,
          // @ts-expect-error not in `permissions`
          readPermissions: ['stations:write'],
        },
      },
    }),
  ).toThrow(DefinitionError);
});

test('any declaration gives an implementation or a DefinitionError', () => {
  const part = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.anything({ maxDepth: 2 }));
  const members = fc.constantFrom<string>(
    ...Object.keys(observatory),
    'limits',
    'urls',
    'authentication',
    'errors',
  );
  const stationMembers = fc.constantFrom<string>(
    ...Object.keys(observatory.resources.stations),
    'id',
    'representations',
  );
  fc.assert(
    fc.property(
      fc.dictionary(members, part),
      fc.dictionary(stationMembers, part, { maxKeys: 2 }),
      (top, station) => {
        for (const declaration of [{ ...observatory, ...top }, withStation(station), top]) {
          const error = thrownBy(() => defineImplementation(declaration as ImplementationDeclaration));
          expect(error === undefined || error instanceof DefinitionError).toBe(true);
        }
      },
    ),
    { numRuns: 400 },
  );
});
