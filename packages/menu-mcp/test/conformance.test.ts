import { expect, test } from 'vitest';
import { conformanceSuite, unlistedFailures } from './support/conformance-suite.ts';

const runSuite = conformanceSuite();

test.each([
  ['2025-11-25', 30],
  ['2026-07-28', 100],
])('the requirements of %s are met but for what does not apply', async (revision, atLeast) => {
  const { code, output, checks } = await runSuite(revision);
  expect(code, output).toBe(0);
  expect(unlistedFailures(checks)).toEqual([]);
  expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(atLeast);
});
