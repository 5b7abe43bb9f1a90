import type { Mutant } from '../mutant.ts';

const SOURCE = 'packages/rostack-store/src';
const TEST = 'packages/rostack-store/test';

/** Faults in what several processes, watchers or reads of one store share. */
export const storeSharingMutants: readonly Mutant[] = [
  {
    name: 'who stops watching twice takes the watch from those who have come since',
    file: `${SOURCE}/log/watch/watchers.ts`,
    find: 'if (!watchers.delete(watcher)) return;',
    replace: 'watchers.delete(watcher);',
    tests: [`${SOURCE}/log/watch/watchers.test.ts`],
    testNamePattern: 'stopping twice',
  },
  {
    name: 'rates of a scope and a key with spaces are taken for those of others',
    file: `${SOURCE}/rate/rate-table.ts`,
    find: 'JSON.stringify([scope, name])',
    replace: '`${scope} ${name}`',
    tests: [`${TEST}/rates.test.ts`],
    testNamePattern: 'with spaces',
  },
  {
    name: 'of two leases of a key that are given back at once one is lost',
    file: `${SOURCE}/rate/rate-statements.ts`,
    find: 'group by given_scope, given_key, ended_at_ms',
    replace: 'group by given_scope, given_key, ended_at_ms, told.points',
    tests: [`${TEST}/rates.test.ts`],
    testNamePattern: 'given back together',
  },
  {
    name: 'more points are given back than were used, and are granted beyond the budget',
    file: `${SOURCE}/rate/rate-statements.ts`,
    find: 'set used = greatest(0, rate.used - locked.points)',
    replace: 'set used = rate.used - locked.points',
    tests: [`${TEST}/rates.test.ts`],
    testNamePattern: 'given back together',
  },
  {
    name: 'the trial whether the store can write overwrites a note of the application',
    file: `${SOURCE}/store/store.ts`,
    find: "const TRIAL_NOTE = 'rostack-store/write-trial';",
    replace: "const TRIAL_NOTE = 'write-trial';",
    tests: [`${TEST}/notes.test.ts`],
    testNamePattern: 'any name',
  },
  {
    name: 'the trial whether the store can write leaves what it has written',
    file: `${SOURCE}/store/store.ts`,
    find: "for (const body of [text, ''])",
    replace: 'for (const body of [text])',
    tests: [`${TEST}/notes.test.ts`],
    testNamePattern: 'any name',
  },
  {
    name: 'pruning stops after the first few hundred changes',
    file: `${SOURCE}/store/store.ts`,
    find: 'while (last > 0)',
    replace: 'while (last < 0)',
    tests: [`${TEST}/retention.test.ts`],
    testNamePattern: 'however much',
  },
  {
    name: 'a change is dropped that is exactly as old as is kept',
    file: `${SOURCE}/log/retention/prune.ts`,
    find: 'entry.occurred_at_ms < nowMs',
    replace: 'entry.occurred_at_ms <= nowMs',
    tests: [`${TEST}/retention.test.ts`],
    testNamePattern: 'by age',
  },
  {
    name: 'once another process has written, each look at a file of SQLite is a hint',
    file: `${SOURCE}/drivers/sqlite/database.ts`,
    find: '      seen = version;\n',
    replace: '',
    tests: [`${TEST}/log.test.ts`],
    testNamePattern: 'hints once',
  },
  {
    name: 'a batch fails at once while another process writes to the file',
    file: `${SOURCE}/drivers/sqlite/database.ts`,
    find: '!isBusy(error) || performance.now() > deadline',
    replace: 'isBusy(error) || performance.now() > deadline',
    tests: [`${TEST}/unavailable.test.ts`],
    testNamePattern: 'waits for another process',
  },
  {
    name: 'a thread that ended while it had nothing to do is given the next read',
    file: `${SOURCE}/drivers/sqlite/reading/readers.ts`,
    find: '      this.#idle.delete(reader);\n',
    replace: '',
    tests: [`${SOURCE}/drivers/sqlite/reading/readers.test.ts`],
    testNamePattern: 'nothing to do',
  },
];
