import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mutants } from '../scripts/mutants/index.ts';
import { mutantFaults } from '../scripts/mutants/mutant-faults.ts';

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
