import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { isPlainSchema, type JsonObject } from 'rostack-core';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const ajv = new Ajv2020({ allErrors: true, ownProperties: true, strict: false, logger: false });
addFormats.default(ajv);

const KEYWORDS =
  '$anchor $comment $defs $dynamicAnchor $dynamicRef $id $ref $schema $vocabulary additionalProperties allOf anyOf const contains contentEncoding contentMediaType contentSchema default definitions dependencies dependentRequired dependentSchemas deprecated description else enum examples exclusiveMaximum exclusiveMinimum format if items maxContains maxItems maxLength maxProperties maximum minContains minItems minLength minProperties minimum multipleOf not oneOf pattern patternProperties prefixItems properties propertyNames readOnly required then title type unevaluatedItems unevaluatedProperties uniqueItems writeOnly x-other $recursiveRef'.split(
    ' ',
  );

const text = fc.oneof(
  fc.constantFrom('string', 'object', '^a+$', '(', 'a\\Z', '#/$defs/a', '#', '', 'https://a.example/b', '%'),
  fc.constantFrom('https://json-schema.org/draft/2020-12/schema', 'https://a.example/b#c', 'decimal', '#/%'),
  fc.string({ maxLength: 6 }),
);
const { schema: anySchema } = fc.letrec<{ value: unknown; schema: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.boolean(),
    fc.constantFrom(null, 0, 1, -1, 0.5),
    fc.array(text, { maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    tie('schema'),
  ),
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));

test('what is valid at one look is valid by the schema of schemas', () => {
  let plain = 0;
  fc.assert(
    fc.property(anySchema, (schema) => {
      if (!isPlainSchema(schema as JsonObject)) return;
      plain += Object.keys(schema).length === 0 ? 0 : 1;
      expect(ajv.validate('https://json-schema.org/draft/2020-12/schema', schema)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test.for([
  { type: 'any' },
  { type: [] },
  { type: ['string', 'string'] },
  { properties: { a: { minimum: '1' } } },
  { required: ['a', 'a'] },
  { allOf: [] },
  { pattern: '(' },
  { patternProperties: { '(': {} } },
  { multipleOf: 0 },
  { maxLength: -1 },
  { $id: 'https://a.example/b#c' },
  { $ref: 'https://a.example:x/' },
])('%j is for the schema of schemas to refuse', (schema) => {
  expect(isPlainSchema(schema)).toBe(false);
});

test('schemas as people write them are seen to be valid at one look', () => {
  const files = globSync(
    ['examples/**/*.schema.json', 'apps/rostack-gateway/{deploy,docker,examples,templates}/**/*.schema.json'],
    {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist',
    },
  );
  expect(files.length).toBeGreaterThan(1);
  const others = files.filter(
    (file) => !isPlainSchema(JSON.parse(readFileSync(resolve(root, file), 'utf8'))),
  );
  expect(others).toEqual([]);
});
