import { limitConstants } from 'test-support/limit-constants';
import { thrownBy } from 'test-support/thrown-by';
import { describe, expect, test } from 'vitest';
import {
  checkMapping,
  createUriMatcher,
  DEFAULT_FILTER_LIMITS,
  eventScopeTag,
  FilterError,
  type FilterLimits,
  type JsonObject,
  MODELS,
  negotiateMediaType,
  parseFields,
  parseFilter,
  parseFilterText,
  parseUriTemplate,
} from './index.ts';
import type { JsonSchema } from './schema/graph/json-schema.ts';
import { createObjectClosure } from './schema/graph/object-closure.ts';
import { createSchemaFacts } from './schema/graph/schema-facts.ts';
import { graphOf } from './schema/graph/schema-graph.ts';
import { conformanceCheck, want } from './testing/check/conformance-check.ts';
import { aBoolean } from './text/options/option-check.ts';
import { quote } from './text/strings.ts';
import { isInstant } from './wire/message/instant.ts';
import { FaultsError } from './wire/model/fault.ts';
import { literal } from './wire/model/model.ts';
import { findFaults } from './wire/model/validate.ts';

/** Whether a size is within a limit. */
type Accepts = (size: number) => boolean | Promise<boolean>;

/** Around a schema, so many more that have it as their only part. */
function inside(levels: number, schema: JsonSchema): JsonSchema {
  let found = schema;
  for (let level = 0; level < levels; level += 1) found = { allOf: [found] };
  return found;
}

function nested(filters: number): JsonObject {
  let filter: JsonObject = { '/a': { eq: 1 } };
  for (let level = 1; level < filters; level += 1) filter = { $not: filter };
  return filter;
}

/** The faults of a mapping that makes one member of a constant. */
const faultsOfConstant = (value: string | number, member: JsonSchema) =>
  checkMapping({ '/a': { constant: value } }, { record: closed({}), representation: closed({ a: member }) });

const closed = (properties: JsonObject): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

class SomeFaults extends FaultsError {
  readonly code = 'some_faults';
}

/** By its constant: the largest size that is within the limit, and how to tell. Of a least size, the smallest. */
const LIMITS: Readonly<Record<string, readonly [limit: number, accepts: Accepts]>> = {
  'wire/cursor/event-cursor.ts MIN_KEY_BYTES': [
    32,
    (bytes) =>
      thrownBy(() =>
        eventScopeTag(
          { implementationId: 'i', apiVersion: '1', resource: 'r', principalId: 'p' },
          new Uint8Array(bytes),
        ),
      ) === undefined,
  ],
  'wire/http/negotiate-media-type.ts MAX_FIELD_LENGTH': [
    4_096,
    (length) => negotiateMediaType('text/html'.padEnd(length), ['text/html']) !== undefined,
  ],
  'record/mapping/check-mapping.ts MAX_DEPTH': [
    64,
    (levels) => faultsOfConstant(2, inside(levels, { const: 1 })).length > 0,
  ],
  'record/mapping/check-mapping.ts MAX_SHOWN_FIELDS': [
    12,
    (fields) => {
      const record = closed(Object.fromEntries(numbered(fields).map((name) => [name, true])));
      const [fault] = checkMapping({ '/a': { from: '/x' } }, { record, representation: closed({ a: true }) });
      return fault?.message.endsWith(`/n${fields - 1}`) === true;
    },
  ],
  'record/mapping/check-mapping.ts MAX_SHOWN_LENGTH': [
    80,
    // The quotes are shown too.
    (length) => faultsOfConstant('x'.repeat(length - 2), { const: 1 })[0]?.message.includes('…') === false,
  ],
  'wire/message/instant.ts MAX_INSTANT_MS': [Date.parse('9999-12-31T23:59:59.999Z'), isInstant],
  'wire/model/fault.ts MAX_SHOWN': [
    10,
    (faults) => {
      const found = numbered(faults).map((name) => ({ check: 'schema', path: `/${name}`, message: 'no' }));
      return !new SomeFaults('nothing', found).message.includes('more');
    },
  ],
  'wire/model/validate.ts MAX_VALUES': [
    8,
    (values) => !findFaults(literal(...numbered(values)), 'x')[0]?.message.includes('more'),
  ],
  'wire/zod/filter-model.ts MAX_DEPTH': [
    256,
    (filters) => MODELS['2026-08-13'].filter.safeParse(nested(filters)).success,
  ],
  'text/options/option-check.ts MAX_SHOWN': [
    60,
    (length) => !aBoolean('x'.repeat(length), 'a')?.includes('...'),
  ],
  'query/projection/parse-fields.ts MAX_DEPTH': [
    64,
    (tokens) => thrownBy(() => parseFields('/a'.repeat(tokens), () => true)) === undefined,
  ],
  'query/projection/parse-fields.ts MAX_POINTERS': [
    256,
    (pointers) => {
      const text = numbered(pointers)
        .map((name) => `/${name}`)
        .join();
      return thrownBy(() => parseFields(text, () => true)) === undefined;
    },
  ],
  'schema/graph/object-closure.ts MAX_DEPTH': [
    256,
    (levels) => {
      const { graph, root } = graphOf(inside(levels, closed({})));
      return createObjectClosure(graph)(root).closed;
    },
  ],
  'schema/graph/schema-facts.ts MAX_DEPTH': [
    256,
    (levels) => {
      // What the last schema says by itself is known without going into it.
      const { graph, root } = graphOf(inside(levels + 1, { type: 'string' }));
      return createSchemaFacts(graph).types(root).size === 1;
    },
  ],
  'testing/check/conformance-check.ts MAX_SHOWN_LENGTH': [
    600,
    async (length) => {
      const check = conformanceCheck('c', {}, async () => want(false, 'no', 'x'.repeat(length - 2)));
      const error: unknown = await check.run().catch((error: unknown) => error);
      return error instanceof Error && !error.message.includes('…');
    },
  ],
  'text/strings.ts MAX_SHOWN_LENGTH': [80, (length) => !quote('x'.repeat(length)).includes('…')],
  'wire/uri-template/uri-matcher.ts MAX_URI_LENGTH': [
    8_192,
    (length) =>
      createUriMatcher('https://a.example/{id}')('https://a.example/'.padEnd(length, 'x')) !== undefined,
  ],
  'wire/uri-template/uri-template.ts MAX_TEMPLATE_LENGTH': [
    8_192,
    (length) => thrownBy(() => parseUriTemplate('x'.repeat(length))) === undefined,
  ],
};

test('each limit of the sources is in the table', () => {
  expect(limitConstants(import.meta.dirname)).toEqual(Object.keys(LIMITS).sort());
});

test.each(Object.entries(LIMITS))(
  '%s is allowed, and nothing beyond it',
  async (constant, [limit, accepts]) => {
    const beyond = constant.includes(' MIN_') ? -1 : 1;
    expect([await accepts(limit), await accepts(limit + beyond)]).toEqual([true, false]);
  },
);

const FILTER_LIMITS: Readonly<Record<keyof FilterLimits, (size: number) => unknown>> = {
  maxDepth: (depth) => parseFilter(nested(depth)),
  maxNodes: (nodes) => parseFilter({ $or: Array.from({ length: nodes - 1 }, () => ({ '/a': { eq: 1 } })) }),
  maxArrayMembers: (members) => parseFilter({ '/a': { in: numbered(members) } }),
  maxStringBytes: (bytes) => parseFilter({ '/a': { eq: 'x'.repeat(bytes) } }),
  maxTextLength: (length) => parseFilterText('{"/a":{"eq":1}}'.padEnd(length)),
};

describe('of a filter', () => {
  test.each(Object.entries(FILTER_LIMITS))('%s is allowed, and nothing beyond it', (name, parse) => {
    const limit = DEFAULT_FILTER_LIMITS[name as keyof FilterLimits];
    expect(thrownBy(() => parse(limit))).toBeUndefined();
    const error = thrownBy(() => parse(limit + 1));
    expect(error).toBeInstanceOf(FilterError);
    expect(error).toMatchObject({ code: 'invalid_filter', check: 'limits' });
  });

  test('its texts are measured in bytes of UTF-8', () => {
    const parse = (text: string) =>
      parseFilter({ '/a': { eq: text } }, { ...DEFAULT_FILTER_LIMITS, maxStringBytes: 9 });
    for (const [fits, isLonger] of [
      ['가나다', '가나다a'],
      ['ééééa', 'ééééé'],
      ['😀😀a', '😀😀가'],
    ] as const) {
      expect(thrownBy(() => parse(fits))).toBeUndefined();
      expect(thrownBy(() => parse(isLonger))).toMatchObject({ check: 'limits' });
    }
  });

  test('a pointer is limited like a string', () => {
    const parse = (bytes: number) => parseFilter({ [`/${'x'.repeat(bytes - 1)}`]: { eq: 1 } });
    expect(thrownBy(() => parse(DEFAULT_FILTER_LIMITS.maxStringBytes))).toBeUndefined();
    expect(thrownBy(() => parse(DEFAULT_FILTER_LIMITS.maxStringBytes + 1))).toMatchObject({
      check: 'limits',
    });
  });
});
