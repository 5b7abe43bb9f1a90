import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { parseMenuUri } from './menu-uri.ts';

/** URL parsers resolve a path segment of one or two dots. */
const idText = string({ minLength: 1, unit: 'grapheme' }).filter((id) => id !== '.' && id !== '..');

test('any id survives the way through a URI', () => {
  assert(
    property(constantFrom('welstory', 'shinsegae'), idText, (vendor, id) => {
      const uri = `menu://${vendor}/${encodeURIComponent(id)}/today`;
      expect(parseMenuUri(uri)).toEqual({ vendor, id, date: 'today' });
      expect(parseMenuUri(new URL(uri).href)).toEqual(parseMenuUri(uri));
    }),
  );
});

test.each([
  'menu://welstory/REST000001',
  'menu://other/REST000001/today',
  'menu://welstory//today',
  'menu://welstory/a/b/today',
  'menu://welstory/REST000001/today?x=1',
  'menu://welstory/%/today',
  'http://welstory/REST000001/today',
])('%s is no menu', (uri) => {
  expect(parseMenuUri(uri)).toBeUndefined();
});
