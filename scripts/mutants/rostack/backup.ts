import type { Mutant } from '../mutant.ts';

const SOURCE = 'packages/rostack-store/src';
const TEST = 'packages/rostack-store/test';
const leaves = { tests: [`${TEST}/backup.test.ts`], testNamePattern: 'is no obstacle' } as const;

export const backupMutants: readonly Mutant[] = [
  {
    ...leaves,
    name: 'a restore that fails leaves what it had copied',
    file: `${SOURCE}/backup/restore-sqlite.ts`,
    find: 'await rm(partial, { force: true });\n    const reason',
    replace: 'const reason',
  },
  {
    ...leaves,
    name: 'a restore goes on with what an earlier one left',
    file: `${SOURCE}/backup/restore-sqlite.ts`,
    find: 'await rm(partial, { force: true });\n    createPrivate',
    replace: 'createPrivate',
  },
  {
    ...leaves,
    name: 'a backup fails over what an earlier one left',
    file: `${SOURCE}/drivers/sqlite/file/back-up.ts`,
    find: 'await rm(partial, { force: true });\n    createPrivate',
    replace: 'createPrivate',
  },
  {
    ...leaves,
    name: 'a restore needs a folder that is there',
    file: `${SOURCE}/backup/restore-sqlite.ts`,
    find: '    await mkdir(dirname(file), { recursive: true });\n',
    replace: '',
  },
  {
    ...leaves,
    name: 'a file that cannot be written is told as a wrong option',
    file: `${SOURCE}/backup/restore-sqlite.ts`,
    find: 'throw new StoreUnavailableError(`cannot restore',
    replace: 'throw new StoreOptionsError(`cannot restore',
  },
];
