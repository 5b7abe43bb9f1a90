import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type FilterError,
  MODELS,
  parseFilter,
  parseProblem,
  parseServerMessage,
  ServerMessageError,
} from '../../index.ts';
import type { Model } from './model.ts';
import {
  DATE_TIME_PATTERN,
  dateTime,
  httpsUrl,
  MEDIA_TYPE_PATTERN,
  strictUriReference,
  uri,
  uriReference,
  wssUrl,
} from './text.ts';
import {
  HTTPS_TEMPLATE_PATTERN,
  HTTPS_URL_PATTERN,
  URI_PATTERN,
  URI_REFERENCE_PATTERN,
  WSS_URL_PATTERN,
} from './uri-pattern.ts';
import { findFaults } from './validate.ts';

const ajv = new Ajv2020();
addFormats.default(ajv);
const hasFormat = (format: string) => ajv.compile({ type: 'string', format });

const URI_PIECES = [
  'https://',
  'wss://',
  'urn:',
  'mailto:',
  'a',
  'example',
  '.',
  ':',
  '8443',
  '/',
  '//',
  '?',
  '#',
  '@',
  '%20',
  '%',
  '[::1]',
  '[1:2::8]',
  '[::1.2.3.4]',
  '[1:2:3:4:5:6:07.8.9.256]',
  '[v1f.a:b]',
  '[::1:2:3:4:5:6:7:8]',
  '[',
  ']',
  '{id}',
  ' ',
  'é',
  '~',
  "'",
  '"',
  '\\',
  '|',
];
const uris = fc
  .tuple(
    fc.constantFrom('https://', 'https://a', 'wss://', 'wss://[::1]', 'urn:', ''),
    fc.array(fc.constantFrom(...URI_PIECES), { maxLength: 5 }),
  )
  .map(([start, pieces]) => start + pieces.join(''));
const dates = fc
  .tuple(
    fc.constantFrom(
      '2024-02-29',
      '2023-02-29',
      '1900-02-29',
      '2000-02-29',
      '2026-04-31',
      '2026-12-31',
      '0000-01-01',
      '2026-1-1',
    ),
    fc.constantFrom('T', 't', ' ', '\u00a0', ''),
    fc.constantFrom(
      '23:59:59',
      '23:59:60',
      '08:59:60',
      '24:59:60',
      '22:58:60.5',
      '23:59:61',
      '24:00:00',
      '12:00',
      '00:60:00',
      '00:00:00.5',
      '00:00:00.',
    ),
    fc.constantFrom('Z', 'z', '+09:00', '-23:59', '+24:00', '+0900', '-01', '+00:60', ''),
  )
  .map((pieces) => pieces.join(''));

/** The schema takes the text, and a stricter rule all of that, or what its pattern takes. */
const checksOf = (isAccepted: boolean, isUsable: boolean, rule: string): string[] =>
  isAccepted ? (isUsable ? [] : [rule]) : ['schema'];
const foundIn = (model: Model, text: string): string[] => findFaults(model, text).map(({ check }) => check);

test.each<[format: string, model: Model<string>, usable: RegExp, rule: string, texts: fc.Arbitrary<string>]>([
  ['uri', uri, URI_PATTERN, 'uri_valid', uris],
  ['uri-reference', strictUriReference, URI_REFERENCE_PATTERN, 'uri_reference_valid', uris],
  ['date-time', dateTime, DATE_TIME_PATTERN, 'date_time_valid', dates],
])(
  'the schema of a %s takes what a validator takes that asserts formats',
  (format, model, usable, rule, texts) => {
    const validate = hasFormat(format);
    const seen = { usable: 0, others: 0, refused: 0 };
    fc.assert(
      fc.property(texts, (text) => {
        const accepted = validate(text);
        expect(foundIn(model, text)).toEqual(checksOf(accepted, usable.test(text), rule));
        // The stricter pattern takes nothing else.
        expect(usable.test(text) && !accepted).toBe(false);
        seen[usable.test(text) ? 'usable' : accepted ? 'others' : 'refused'] += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(Math.min(seen.usable, seen.others, seen.refused)).toBeGreaterThan(20);
  },
);

test.each([
  ['https', httpsUrl, HTTPS_URL_PATTERN],
  ['wss', wssUrl, WSS_URL_PATTERN],
] as const)('the model of an %s URL takes every URI of that scheme', (scheme, model, usable) => {
  const validate = ajv.compile({ type: 'string', format: 'uri', pattern: `^${scheme}://` });
  fc.assert(
    fc.property(uris, (text) => {
      expect(foundIn(model, text)).toEqual(checksOf(validate(text), usable.test(text), 'url_usable'));
      expect(usable.test(text) && !validate(text)).toBe(false);
    }),
    { numRuns: 10_000 },
  );
});

test('a reference of the older release may be any that the schema takes', () => {
  expect(['/a"b', '/a', '\u0000'].map((text) => foundIn(uriReference, text))).toEqual([[], [], ['schema']]);
});

test.each<[string, RegExp, readonly string[], readonly string[]]>([
  [
    'https URL',
    HTTPS_URL_PATTERN,
    ['https://a', 'https://a.example:8443/b/c?d=e#f', 'https://[::1]/', 'https://localhost', 'https://a/%20'],
    [
      'http://a',
      'HTTPS://a',
      'https://',
      'https://u:p@a/',
      'https://a/ b',
      'https://a/{id}',
      'https://a/%2',
      'https://[:::1]',
      'a',
      '',
      'https://a\n',
    ],
  ],
  ['wss URL', WSS_URL_PATTERN, ['wss://a/g'], ['ws://a', 'https://a']],
  [
    'https URI template',
    HTTPS_TEMPLATE_PATTERN,
    ['https://a/b/{id}', 'https://a{/id}{?x,y*,z:3}', 'https://a/{a.b}', 'https://a/b'],
    [
      'https://{host}/b',
      'https://a/{}',
      'https://a/{id',
      'https://a/{id:0}',
      'https://a/{!id}',
      'http://a/{id}',
      'https://a/b c',
    ],
  ],
  [
    'date and time',
    DATE_TIME_PATTERN,
    ['2024-02-29T00:00:00Z', '2026-08-13t10:00:00.123456+09:00'],
    [
      '2023-02-29T00:00:00Z',
      '2026-08-13T10:00Z',
      '2026-08-13 10:00:00Z',
      '2026-08-13T10:00:00',
      '2026-13-01T00:00:00Z',
      '2026-12-31T23:59:60Z',
    ],
  ],
  [
    'media type',
    MEDIA_TYPE_PATTERN,
    ['application/json', 'application/geo+json; charset="utf-8"', 'text/x;a=b'],
    ['application', 'application/', 'a b/c', 'application/json;', 'a/b; c'],
  ],
])('%s', (_, pattern, valid, invalid) => {
  expect(valid.filter((text) => !pattern.test(text))).toEqual([]);
  expect(invalid.filter((text) => pattern.test(text))).toEqual([]);
});

test.each([
  { length: { toString: 1 } },
  { toString: null, valueOf: null },
  { length: 1e9 },
  JSON.parse('{"__proto__":{"length":1}}'),
])('an object that cannot be measured or compared is a fault like any other: %j', (hostile: unknown) => {
  for (const { discovery, filter, problem, websocketMessage, collection } of Object.values(MODELS)) {
    for (const model of [discovery, filter, problem, websocketMessage, collection] as z.ZodType[]) {
      expect(typeof model.safeParse(hostile).success).toBe('boolean');
      expect(model.safeParse([hostile]).success).toBe(false);
    }
  }
  const frame = JSON.stringify({ type: 'ping', id: hostile });
  expect(thrownBy(() => parseServerMessage(frame))).toBeInstanceOf(ServerMessageError);
  expect(thrownBy(() => parseProblem({ type: hostile, request_id: hostile }))).toHaveProperty(
    'code',
    'invalid_problem',
  );
});

test('the filter model and the parser without limits take the same filters', () => {
  const unlimited = {
    maxDepth: 1e6,
    maxNodes: 1e6,
    maxArrayMembers: 1e6,
    maxStringBytes: 1e6,
    maxTextLength: 1e6,
  };
  const scalar = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const operand = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.constantFrom({}, [[]], [{}]));
  const operators = fc.dictionary(
    fc.constantFrom(
      'eq',
      'ne',
      'gt',
      'lte',
      'in',
      'nin',
      'contains',
      'starts_with',
      'exists',
      'like',
      '__proto__',
      'toString',
    ),
    operand,
    { minKeys: 1, maxKeys: 1 },
  );
  const { filter } = fc.letrec((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      fc.dictionary(
        fc.constantFrom('/a', '/b', '/c', '/a/b', '/', '/~0', '/~2', 'a', '', '$nor', '__proto__'),
        operators,
        { minKeys: 1, maxKeys: 2 },
      ),
      fc.dictionary(fc.constantFrom('$and', '$or'), fc.array(tie('filter'), { maxLength: 2 }), {
        maxKeys: 2,
      }),
      fc.record({ $not: fc.oneof(tie('filter'), operand), '/c': operators }, { requiredKeys: [] }),
    ),
  }));
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(filter, (drawn) => {
      const value: unknown = JSON.parse(JSON.stringify(drawn));
      const error = thrownBy(() => parseFilter(value, unlimited));
      const check = error === undefined ? undefined : (error as FilterError).check;
      // Pointers with a wrong escape are a rule of the parser alone.
      if (check === 'field_pointer') return;
      expect(check).toBeOneOf([undefined, 'schema']);
      const taken = MODELS['2026-08-13'].filter.safeParse(value).success;
      seen[taken ? 'taken' : 'refused'] += 1;
      expect(check === undefined).toBe(taken);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(100);
});

test.each(['$not', '$and', '$or'])(
  'filters nested deep in %s are refused before the call stack ends',
  (member) => {
    const nested = (depth: number): unknown => {
      let filter: unknown = { '/a': { eq: 1 } };
      for (let level = 1; level < depth; level += 1)
        filter = { [member]: member === '$not' ? filter : [filter] };
      return filter;
    };
    for (const release of Object.values(MODELS)) {
      expect(release.filter.safeParse(nested(256)).success).toBe(true);
      for (const depth of [257, 20_000]) {
        expect(release.filter.safeParse(nested(depth)).success).toBe(false);
        const subscribe = { type: 'subscribe', subscription_id: 's', resource: 'r', filter: nested(depth) };
        expect(release.websocketMessage.safeParse(subscribe).success).toBe(false);
      }
    }
  },
);
