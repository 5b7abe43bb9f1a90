import type { CafeteriaConfig } from 'cafeteria-web';
import type { Clock } from 'menu-client';
import { afterAll, beforeAll } from 'vitest';
import { startTestCafeteria } from './running.ts';

/** One running cafeteria for the tests of a file; read `url` inside tests only. */
export function sharedCafeteria(
  changes: Partial<CafeteriaConfig> = {},
  clock?: Clock,
): { readonly url: string } {
  let running: Awaited<ReturnType<typeof startTestCafeteria>> | undefined;
  beforeAll(async () => {
    running = await startTestCafeteria(changes, clock);
  });
  afterAll(async () => {
    await running?.[Symbol.asyncDispose]();
  });
  return {
    get url() {
      if (running === undefined) throw new Error('not started yet');
      return running.url;
    },
  };
}
