import type { Mutant } from './mutant.ts';

const SOURCE = 'apps/rostack-gateway/src';
const TEST = 'apps/rostack-gateway/test';

export const rostackGatewayMutants: readonly Mutant[] = [
  {
    name: 'a log that went back leaves the gateway unready for ever',
    file: `${SOURCE}/observe/readiness.ts`,
    find: '(position >= known.head || (head ?? known.head) < known.head)',
    replace: 'position >= known.head',
    tests: [`${TEST}/health.test.ts`],
    testNamePattern: 'health',
  },
  {
    name: 'the quarantine is counted anew for nearly every question',
    file: `${SOURCE}/observe/quarantine-watch.ts`,
    find: 'const FRESH_MS = 1_000;',
    replace: 'const FRESH_MS = 1;',
    tests: [`${TEST}/quarantine-watch.test.ts`],
  },
  {
    name: 'a byte order mark in the middle of a CSV file is eaten',
    file: `${SOURCE}/import/csv-reader.ts`,
    find: 'if (this.#offset > 0 || ',
    replace: 'if (',
    tests: [`${SOURCE}/import/csv-reader.test.ts`],
  },
  {
    name: 'a byte order mark at the start of a later line is eaten',
    file: `${SOURCE}/changes/line-splitter.ts`,
    find: 'this.#lines === 1 && text.startsWith',
    replace: 'text.startsWith',
    tests: [`${SOURCE}/changes/line-splitter.test.ts`],
  },
];
