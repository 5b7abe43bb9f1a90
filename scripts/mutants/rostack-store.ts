import type { Mutant } from './mutant.ts';

const SOURCE = 'packages/rostack-store/src';
const TEST = 'packages/rostack-store/test';

export const rostackStoreMutants: readonly Mutant[] = [
  {
    name: 'pruning leaves the past version that ended at the new floor',
    file: `${SOURCE}/retention/prune.ts`,
    find: 'and to_position <= ${floor}',
    replace: 'and to_position < ${floor}',
    tests: [`${TEST}/retention.test.ts`],
    testNamePattern: 'leaves no row',
  },
  {
    name: 'a quarantine outlives the mapping that its rows were refused by',
    file: `${SOURCE}/attach/leader-lease.ts`,
    find: 'if (present.mapping !== mapping) yield* emptyQuarantine(schema, name);',
    replace: 'void [schema, emptyQuarantine];',
    tests: [`${TEST}/attach-sqlite-change.test.ts`],
    testNamePattern: 'another mapping',
  },
  {
    name: 'the shapes of queries whose way is known are kept without bound',
    file: `${SOURCE}/page/known-ways.ts`,
    find: 'if (this.#ways.size >= MAX_SHAPES) this.#ways.clear();',
    replace: 'void MAX_SHAPES;',
    tests: [`${SOURCE}/page/known-ways.test.ts`],
  },
  {
    name: 'an outage is tried again by every batch of the group',
    file: `${SOURCE}/apply/apply-queue.ts`,
    find: 'group.length === 1 || error instanceof StoreUnavailableError',
    replace: 'group.length === 1 || (error instanceof StoreUnavailableError && false)',
    tests: [`${SOURCE}/apply/apply-queue.test.ts`],
  },
  {
    name: 'a failed backup leaves its partial file',
    file: `${SOURCE}/backup/back-up-sqlite.ts`,
    find: 'await rm(partial, { force: true });',
    replace: 'void rm;',
    tests: [`${TEST}/backup.test.ts`],
    testNamePattern: 'that fails leaves',
  },
  {
    name: 'a leader that resigns does not wait for the renewal that is under way',
    file: `${SOURCE}/attach/leader-lease.ts`,
    find: 'await this.#renewing;',
    replace: '',
    tests: [`${SOURCE}/attach/leader-lease.test.ts`],
  },
  {
    name: 'a token id with U+0000 is asked of the database',
    file: `${SOURCE}/token/token-table.ts`,
    find: "if (tokenId.includes('\\u0000')) return undefined;",
    replace: '',
    tests: [`${TEST}/tokens.test.ts`],
    testNamePattern: 'U.0000',
  },
  {
    name: 'a backup stays in write-ahead mode, so that it is more than one file once it is read',
    file: `${SOURCE}/backup/mark-for-new-epoch.ts`,
    find: "copy.pragma('journal_mode = delete');",
    replace: '',
    tests: [`${TEST}/backup.test.ts`],
    testNamePattern: 'that fails leaves',
  },
  {
    name: 'a store that is closed leaves the file open, with its log beside it',
    file: `${SOURCE}/database/sqlite-database.ts`,
    find: 'this.handle.close();',
    replace: '',
    tests: [`${TEST}/sqlite-log.test.ts`],
    testNamePattern: 'a store that is closed',
  },
  {
    name: 'a store does not wait for its reading threads to close the file',
    file: `${SOURCE}/database/sqlite-database.ts`,
    find: 'await this.#readers?.close();',
    replace: 'void this.#readers?.close();',
    tests: [`${TEST}/sqlite-log.test.ts`],
    testNamePattern: 'a store that is closed',
  },
];
