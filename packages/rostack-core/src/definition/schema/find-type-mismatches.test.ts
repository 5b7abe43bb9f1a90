import { expect, test } from 'vitest';
import { parseFilter } from '../../query/filter/parse-filter.ts';
import { findTypeMismatches } from './find-type-mismatches.ts';

const schema = {
  type: 'object',
  properties: {
    battery: { type: 'number' },
    name: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    any: {},
  },
};

const pointersOf = (filter: object) =>
  findTypeMismatches(parseFilter(filter), schema).map(({ pointer }) => pointer);

test.each([
  { '/battery': { gt: '50' } },
  { '/battery': { eq: true } },
  { '/battery': { in: ['1', '2'] } },
  { '/battery': { ne: '1' } },
  { '/battery': { eq: [1] } },
  { '/battery': { starts_with: '1' } },
  { $or: [{ '/name': { exists: true } }, { $not: { '/battery': { lte: '1' } } }] },
])('%j compares a number with another type', (filter) => {
  expect(pointersOf(filter)).toEqual(['/battery']);
});

test.each([
  { '/battery': { gt: 50 } },
  { '/battery': { in: ['1', 2] } },
  { '/battery': { in: [] } },
  { '/battery': { eq: null } },
  { '/battery': { exists: false } },
  { '/name': { contains: 'a' } },
  { '/tags': { contains: 1 } },
  { '/any': { eq: 1 } },
  { '/never': { eq: 1 } },
])('%j may match', (filter) => {
  expect(pointersOf(filter)).toEqual([]);
});
