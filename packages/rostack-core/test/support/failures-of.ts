import { type ConformanceCheck, ConformanceError } from '../../src/testing/index.ts';

/** Names of the checks that fail. What is thrown but a ConformanceError is thrown on. */
export async function failuresOf(checks: readonly ConformanceCheck[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ConformanceError)) throw error;
      failed.push(name);
    }
  }
  return failed;
}
