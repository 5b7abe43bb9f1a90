import type { Mutant } from './mutant.ts';

export const cafeteriaWebMutants: readonly Mutant[] = [
  {
    name: '/alarm.ics has no rate limit',
    file: 'apps/cafeteria-web/src/routes/limits.ts',
    find: "['/search', '/alarm.ics', '/alarm.rss']",
    replace: "['/search', '/alarm.rss']",
    tests: ['apps/cafeteria-web/test/limits.test.ts'],
  },
  {
    name: 'the part of the day is not in the version of a page',
    file: 'apps/cafeteria-web/src/http/pages.ts',
    find: '`${context.today} ${slot} ${page.version}`',
    replace: '`${context.today} ${page.version}`',
    tests: ['apps/cafeteria-web/test/ready.test.ts'],
    testNamePattern: 'the next meal',
  },
  {
    name: 'the feed with links at a second origin is given to a third',
    file: 'apps/cafeteria-web/src/feeds/site-feed.ts',
    find: 'this.#elsewhere?.copy !== copy || this.#elsewhere.origin !== origin',
    replace: 'this.#elsewhere?.copy !== copy',
    tests: ['apps/cafeteria-web/test/ready.test.ts'],
    testNamePattern: 'the feed of all',
  },
];
