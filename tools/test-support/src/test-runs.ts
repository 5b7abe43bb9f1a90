import { env } from 'node:process';

/** How many random cases a long test tries: `count`, times `TEST_RUNS` for those who have the time. */
export function testRuns(count: number): number {
  return count * Number(env.TEST_RUNS ?? 1);
}
