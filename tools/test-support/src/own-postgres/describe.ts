import { PostgresPrograms } from 'test-support/own-postgres/programs';
import { describe, type TestOptions } from 'vitest';

const missing: unknown = await PostgresPrograms.find().then(
  (programs) => programs[Symbol.asyncDispose](),
  (error: unknown) => error,
);
if (missing !== undefined && process.env['CI'] !== undefined) throw missing;

/**
 * For suites that start servers of their own. Skipped where the programs of PostgreSQL are not installed, which is said
 * on standard error; in CI that fails instead.
 */
export function describePostgresPrograms(name: string, suite: () => void, options: TestOptions = {}): void {
  if (missing !== undefined) {
    process.stderr.write(
      `NOT TESTED: ${name}. The programs of PostgreSQL are not installed: apt-get install postgresql\n`,
    );
  }
  const describeHere = missing === undefined ? describe : describe.skip;
  describeHere(name, options, suite);
}
