import { expect, test } from 'vitest';
import { parseRecordUri, recordUri } from './record-uri.ts';

test.each([
  { resource: 'stations', id: undefined },
  { resource: 'stations', id: 's1' },
  { resource: 'a/b', id: 'x/../y?z#1 %2f 가' },
])('the URI of $resource $id leads back to it', (place) => {
  expect(parseRecordUri('observatory', recordUri('observatory', place))).toEqual(place);
});

test.each([
  'rostack://another/stations/s1',
  'rostack://observatory',
  'rostack://observatory/',
  'rostack://observatory/stations/s1/more',
  'rostack://observatory/stations?id=1',
  'rostack://observatory/stations/%zz',
  'https://observatory/stations/s1',
])('%s names no record of the observatory', (uri) => {
  expect(parseRecordUri('observatory', uri)).toBeUndefined();
});
