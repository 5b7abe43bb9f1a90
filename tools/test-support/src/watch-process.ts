import { afterEach, beforeEach } from 'vitest';

/**
 * Fails each test of the file in which something was thrown or rejected that nobody caught: it would have ended the process. Vitest's own
 * listeners would only fail the run at its end.
 * @returns the warnings of the process in the present test
 */
export function watchProcess(): readonly string[] {
  const uncaught: unknown[] = [];
  const warnings: string[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  const onWarning = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);

  beforeEach(() => {
    uncaught.length = 0;
    warnings.length = 0;
    process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught).on('warning', onWarning);
  });

  afterEach(async () => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    process
      .off('uncaughtException', onUncaught)
      .off('unhandledRejection', onUncaught)
      .off('warning', onWarning);
    if (uncaught.length > 0) throw new AggregateError(uncaught, 'the process would have ended');
  });
  return warnings;
}
