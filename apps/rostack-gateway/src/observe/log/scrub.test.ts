import * as fc from 'fast-check';
import { createSharedToken } from 'rostack-server';
import { expect, test } from 'vitest';
import { createScrubber } from './scrub.ts';

const scrub = createScrubber(['a secret "with" quotes/and slashes', undefined, 'short']);

test.each([
  ['postgres://gateway:hunter22@db:5432/x is down', 'postgres://gateway:[redacted]@db:5432/x is down'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
  ['authorization: rostack-token abc', 'authorization: rostack-token [redacted]'],
  ['authorization: Basic YTpiCg==', 'authorization: Basic [redacted]'],
  ['got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln', 'got [redacted]'],
  ['GET /x?limit=1&access_token=abc&b=2', 'GET /x?limit=1&access_token=[redacted]&b=2'],
  [
    '/x?api_key=a&password=b&token=c&secret=d',
    '/x?api_key=[redacted]&password=[redacted]&token=[redacted]&secret=[redacted]',
  ],
  ['a secret "with" quotes/and slashes', '[redacted]'],
  [JSON.stringify({ a: 'a secret "with" quotes/and slashes' }), '{"a":"[redacted]"}'],
  [encodeURIComponent('a secret "with" quotes/and slashes'), '[redacted]'],
  ['https://data.example:8443/api/stations/a is short', 'https://data.example:8443/api/stations/a is short'],
])('%j', (text, expected) => {
  expect(scrub(text)).toBe(expected);
});

test('a shared token keeps its public id alone, wherever it is cut off', () => {
  const { token, tokenId } = createSharedToken();
  for (const end of [token.length, token.length - 1, token.length - 10]) {
    const clean = scrub(`<${token.slice(0, end)}>`);
    expect(clean).toBe(`<rostack_${tokenId}_[redacted]>`);
  }
});

test.each(['a', 'a.', 'eyJ-', 'eyJa.', 'a://b:', 'a://', 'Bearer ', 'rostack_', '?token=', '%20'])(
  'a megabyte of %j takes no longer than its length',
  (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    expect(scrub(text).length).toBeGreaterThan(0);
  },
  10_000,
);

test('what was JSON stays JSON', () => {
  const pieces = fc.constantFrom(
    'Bearer ',
    'x',
    '"',
    '\\',
    '://a:b@',
    'eyJaaaaa.b.c',
    '?token=',
    ',',
    ' ',
    '\n',
  );
  const value = fc.array(pieces).map((found) => found.join(''));
  // Each member in an object of its own: scrubbed, two secret names become the same name, which keeps both members in the text but not when
  // parsed.
  const member = fc
    .tuple(value, fc.oneof(value, fc.integer()))
    .map(([name, content]) => ({ [name]: content }));
  const contents = (members: object[]) => members.flatMap((each) => Object.values(each));
  const isNumber = (content: unknown) => typeof content === 'number';
  fc.assert(
    fc.property(fc.array(member), (members) => {
      const clean = JSON.parse(scrub(JSON.stringify(members))) as object[];
      expect(contents(clean).filter(isNumber)).toEqual(contents(members).filter(isNumber));
    }),
    { examples: [[[{ 'eyJaaaaa.b.cx': 0 }, { 'eyJaaaaa.b.c': '' }]]] },
  );
});
