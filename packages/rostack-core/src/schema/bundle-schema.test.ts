import { expect, test } from 'vitest';
import { bundleSchema, type SchemaDocuments } from './bundle-schema.ts';
import type { JsonSchema } from './graph/json-schema.ts';

const BASE = 'https://data.example/';

function documents(schemas: Readonly<Record<string, JsonSchema>>): ReadonlyMap<string, JsonSchema> {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => [BASE + name, { $id: BASE + name, ...schema }]),
  );
}

const embeddedIn = (name: string, schemas: SchemaDocuments): readonly string[] =>
  Object.keys((bundleSchema(BASE + name, schemas)['$defs'] ?? {}) as object).map((url) =>
    url.replace(BASE, ''),
  );

test('documents that references lead to are embedded, also those behind others and around a circle', () => {
  const schemas = documents({
    a: { $ref: 'b#/$defs/x', $defs: { own: true } },
    b: { $defs: { x: { properties: { c: { $ref: 'c#anchor' } } } } },
    c: { $anchor: 'anchor', items: { $ref: 'a' } },
    d: { $ref: 'a' },
  });
  expect(embeddedIn('a', schemas).toSorted()).toEqual(['b', 'c', 'own']);
  expect(embeddedIn('d', schemas).toSorted()).toEqual(['a', 'b', 'c']);
  expect(bundleSchema(`${BASE}none`, schemas)).toEqual({});
});

test('a document is found by the $id of what is inside it, and all by a dynamic reference', () => {
  const schemas = documents({
    a: { $ref: 'inner#/$defs/x' },
    b: { $defs: { inner: { $id: `${BASE}inner`, $defs: { x: { type: 'string' } } } } },
    c: { $dynamicRef: '#node' },
    d: { $dynamicAnchor: 'node' },
  });
  expect(embeddedIn('a', schemas)).toEqual(['b']);
  expect(embeddedIn('c', schemas).toSorted()).toEqual(['a', 'b', 'd']);
});

test('documents that nothing leads to are not looked at, however many there are', () => {
  const schemas = documents({ a: { $ref: 'b' }, b: { type: 'string' } });
  const guarded: SchemaDocuments = {
    get: (url) => schemas.get(url),
    [Symbol.iterator]: () => {
      throw new Error('all documents were gone through');
    },
  };
  expect(embeddedIn('a', guarded)).toEqual(['b']);
  expect(embeddedIn('b', guarded)).toEqual([]);
});
