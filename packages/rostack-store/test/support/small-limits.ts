import * as fc from 'fast-check';
import type { PageLimits } from '../../src/page/plan/page-limits.ts';

/** Limits that make pages of few records take the ways that pages of many take, and end their statements in the middle of anything. */
export const smallLimits: fc.Arbitrary<PageLimits> = fc.record({
  examined: fc.integer({ min: 1, max: 40 }),
  materialized: fc.integer({ min: 1, max: 40 }),
  comparisons: fc.constantFrom(20, 100, 10_000),
  spare: fc.integer({ min: 0, max: 4 }),
  past: fc.integer({ min: 1, max: 40 }),
  mergedScans: fc.integer({ min: 1, max: 4 }),
  briefMs: fc.constantFrom(5, 1_000),
  sliceRows: fc.record({ first: fc.integer({ min: 1, max: 8 }), most: fc.integer({ min: 8, max: 60 }) }),
});
