import { describe, type TestOptions } from 'vitest';

export interface ConditionalSuites {
  readonly isThere: boolean;
  /** `describe` where what is needed is there; otherwise the suite is skipped, and standard error says so. */
  readonly describe: (name: string, suite: () => void, options?: TestOptions) => void;
}

/**
 * Suites that need something of the machine: a server, a program.
 * @param needed what to install, start or set, for the message
 * @param look fails where it is missing
 * @throws what `look` throws, with `CI` set: there nothing may be skipped
 */
export async function describeWhere(needed: string, look: () => unknown): Promise<ConditionalSuites> {
  const missing: unknown = await Promise.resolve()
    .then(look)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (missing !== undefined && process.env['CI'] !== undefined) {
    throw new Error(`needed by tests and not there: ${needed}`, { cause: missing });
  }
  return {
    isThere: missing === undefined,
    describe: (name, suite, options = {}) => {
      if (missing !== undefined) process.stderr.write(`NOT TESTED: ${name}. Not there: ${needed}\n`);
      // oxlint-disable-next-line vitest/no-disabled-tests -- said above, and refused with CI set
      (missing === undefined ? describe : describe.skip)(name, options, suite);
    },
  };
}
