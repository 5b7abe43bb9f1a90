import * as fc from 'fast-check';
import { thrownBy } from 'test-support/thrown-by';
import { expect, test } from 'vitest';
import { CollectionError, parseCollection } from '../../index.ts';

const silent = { events: [] };
const eventful = { events: [{}] };
const page = { next_cursor: null, has_more: false };

test('a page is taken with its cursors', () => {
  const whole = { items: [{ id: '1' }], page: { next_cursor: 'n', has_more: true, event_cursor: 'e' } };
  expect(parseCollection(whole, eventful)).toEqual(whole);
  expect(parseCollection({ items: [], page }, silent)).toEqual({ items: [], page });
});

test.each<[string, unknown, string]>([
  ['an event cursor that is missing', { items: [], page }, '/page/event_cursor'],
  [
    'a next cursor that is missing',
    { items: [], page: { has_more: false, event_cursor: 'e' } },
    '/page/next_cursor',
  ],
  ['an empty cursor', { items: [], page: { ...page, event_cursor: '' } }, '/page/event_cursor'],
  ['a member that is unknown', { items: [], page: { ...page, event_cursor: 'e' }, total: 5 }, '/total'],
  ['an item that is no object', { items: [1], page: { ...page, event_cursor: 'e' } }, '/items/0'],
])('%s is a fault', (_, value, path) => {
  const error = thrownBy(() => parseCollection(value, eventful));
  expect(error).toBeInstanceOf(CollectionError);
  expect(error).toMatchObject({ code: 'invalid_collection', retryable: false, faults: [{ path }] });
});

test('nothing but a CollectionError comes out', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(thrownBy(() => parseCollection(value, silent))).toBeInstanceOf(CollectionError);
    }),
    { numRuns: 300 },
  );
});
