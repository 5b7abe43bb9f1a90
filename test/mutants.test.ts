import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from 'test-support/temporary-folder';
import { expect, test } from 'vitest';
import { copyTree } from '../scripts/mutants/copied-tree.ts';
import { mutants } from '../scripts/mutants/index.ts';
import { mutantFaults } from '../scripts/mutants/mutant-faults.ts';
import { titleMatches } from '../scripts/test-titles.ts';

const root = resolve(import.meta.dirname, '..');

test('each mutant can still be put into the source, under a name of its own', () => {
  expect(mutantFaults(mutants, root)).toEqual([]);
});

test('an entry whose text is gone, whose test is gone, or whose name is taken is refused', () => {
  const good = {
    name: 'the root says nothing',
    file: 'package.json',
    find: '"private": true',
    replace: '"private": false',
    tests: ['test/mutants.test.ts'],
  } as const;
  expect(mutantFaults([good], root)).toEqual([]);
  expect(mutantFaults([good, good], root)).toEqual(['the root says nothing: another mutant has this name']);
  expect(mutantFaults([{ ...good, find: '"privat": true' }], root)).toEqual([
    'the root says nothing: its text occurs 0 times in package.json, not once',
  ]);
  expect(mutantFaults([{ ...good, replace: good.find }], root)).toEqual([
    'the root says nothing: it changes nothing',
  ]);
  expect(mutantFaults([{ ...good, tests: ['test/gone.test.ts'] }], root)).toEqual([
    'the root says nothing: test/gone.test.ts does not exist',
  ]);
});

test('a pattern that names no test of its file is refused, unless a table can make such a name', () => {
  const faultsOf = (testNamePattern: string, ...tests: [string, ...string[]]) =>
    mutantFaults(
      [{ name: 'x', file: 'package.json', find: '"private": true', replace: '', tests, testNamePattern }],
      root,
    );
  const plain = 'test/mutants.test.ts';
  const tabled = 'apps/cafeteria-web/src/running/client-address.test.ts';
  expect(faultsOf('unless a table can', plain)).toEqual([]);
  expect(faultsOf('is.*accepted', plain)).toEqual([`x: no test of ${plain} matches is.*accepted`]);
  expect(faultsOf('unless a table can', tabled, plain)).toEqual([
    `x: no test of ${tabled} matches unless a table can`,
  ]);
  expect(faultsOf('before nonsense', tabled)).toEqual([]);
});

test('what a table or a template puts into a title is a text of the file', () => {
  const texts = ['no name', 'an empty name'];
  for (const title of ['%s is refused', '$name is refused', '${NAME} is refused']) {
    expect(titleMatches(title, /is refused/, [])).toBe(true);
    expect(titleMatches(title, /empty name is/, texts)).toBe(true);
    expect(titleMatches(title, /empty name was/, texts)).toBe(false);
  }
  expect(titleMatches('a name is refused', /empty name/, texts)).toBe(false);
});

test('a copied tree shares the installed packages, and has those of the workspace itself', async () => {
  await using folder = await temporaryFolder();
  execFileSync('git', ['init', '-q'], { cwd: folder.path });
  for (const path of ['tools/own', 'node_modules/installed']) {
    mkdirSync(join(folder.path, path), { recursive: true });
    writeFileSync(join(folder.path, path, 'package.json'), '{}');
  }
  symlinkSync('../tools/own', join(folder.path, 'node_modules/own'));
  writeFileSync(join(folder.path, '.gitignore'), 'node_modules\n');
  using tree = copyTree(folder.path);
  const placeOf = (name: string) => realpathSync(join(tree.root, 'node_modules', name));
  expect(placeOf('own')).toBe(join(realpathSync(tree.root), 'tools/own'));
  expect(placeOf('installed')).toBe(join(realpathSync(folder.path), 'node_modules/installed'));
});
