import { expect, test } from 'vitest';
import { INAPPLICABLE } from './conformance/inapplicable.ts';
import { conformanceSuite, isFailure, LISTED } from './support/conformance-suite.ts';

const runSuite = conformanceSuite();

test.each(['2025-11-25', '2026-07-28'])(
  'the requirements of %s are not met when the list is outdated',
  async (revision) => {
    expect((await runSuite(revision, [...LISTED, 'tools-list:tools-list'])).code).toBe(1);
    expect((await runSuite(revision, LISTED.slice(1))).code).toBe(1);
  },
);

test('every check that is listed fails in one of the two, with a reason', async () => {
  const failures = (await Promise.all(['2025-11-25', '2026-07-28'].map((revision) => runSuite(revision))))
    .flatMap(({ checks }) => checks)
    .filter(isFailure)
    .map(({ id }) => id);
  expect(LISTED.filter((check) => !failures.includes(check.split(':')[1] ?? ''))).toEqual([]);
  for (const { reason } of INAPPLICABLE) expect(reason.length).toBeGreaterThan(30);
  expect(new Set(LISTED).size).toBe(LISTED.length);
});
