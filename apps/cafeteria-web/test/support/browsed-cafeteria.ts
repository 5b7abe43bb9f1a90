import { readConfig } from 'cafeteria-web';
import { launchBrowser } from 'test-support/launch-browser';
import { afterAll, beforeAll } from 'vitest';
import { findOne, startTestCafeteria } from './running.ts';

/** A phone, as people use the pages on. */
export const phone = {
  viewport: { width: 390, height: 844 },
  locale: 'ko-KR',
  serviceWorkers: 'block',
} as const;

interface Browsed {
  readonly browser: Awaited<ReturnType<typeof launchBrowser>>;
  readonly cafeteria: Awaited<ReturnType<typeof startTestCafeteria>>;
  /** The path of a Friday, on which every restaurant serves. */
  readonly day: string;
}

/** One browser and one cafeteria for the tests of a file; there from its first test on. */
export function browsedCafeteria(): Browsed {
  const browsed: { -readonly [Member in keyof Browsed]?: Browsed[Member] } = {};
  beforeAll(async () => {
    browsed.browser = await launchBrowser(['--enable-features=WebMCP,WebMCPTesting']);
    // The browser's tools ask about every way to say a day, in two interfaces.
    const limits = { ...readConfig({}).limits, mcpPerMinute: 0, readingsPerMinute: 0 };
    browsed.cafeteria = await startTestCafeteria({ limits });
    browsed.day = `${(await findOne(browsed.cafeteria.url, 'R5')).path}/20261120`;
  });
  afterAll(async () => {
    await browsed.browser?.[Symbol.asyncDispose]();
    await browsed.cafeteria?.[Symbol.asyncDispose]();
  });
  return browsed as Browsed;
}
