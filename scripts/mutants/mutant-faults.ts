import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testTitles, titleMatches, writtenTexts } from '../test-titles.ts';
import type { Mutant } from './mutant.ts';

/**
 * Why these mutants cannot be tried in the tree below `root`: a text that is gone, a missing test, a pattern that
 * names no test, a name given twice.
 */
export function mutantFaults(mutants: readonly Mutant[], root: string): string[] {
  const names = new Set<string>();
  const namesTest = testFinder(root);
  return mutants.flatMap(({ name, file, find, replace, tests, testNamePattern }) => {
    const faults: string[] = [];
    if (names.has(name)) faults.push('another mutant has this name');
    names.add(name);
    if (find === replace) faults.push('it changes nothing');
    const found = existsSync(join(root, file))
      ? readFileSync(join(root, file), 'utf8').split(find).length - 1
      : 0;
    if (found !== 1) faults.push(`its text occurs ${found} times in ${file}, not once`);
    for (const test of tests) {
      if (!existsSync(join(root, test))) faults.push(`${test} does not exist`);
      else if (testNamePattern !== undefined && !namesTest(test, testNamePattern))
        faults.push(`no test of ${test} matches ${testNamePattern}`);
    }
    return faults.map((fault) => `${name}: ${fault}`);
  });
}

/** Says whether a pattern matches the name of a test in a file. Each file is parsed once. */
function testFinder(root: string): (file: string, pattern: string) => boolean {
  const titles = new Map<string, readonly string[]>();
  const texts = new Map<string, ReadonlySet<string>>();
  const titlesOf = (file: string) => {
    const known =
      titles.get(file) ??
      testTitles(readFileSync(join(root, file), 'utf8'), file).map((path) => path.join(' '));
    titles.set(file, known);
    return known;
  };
  const textsOf = (file: string) => {
    const known = texts.get(file) ?? writtenTexts(readFileSync(join(root, file), 'utf8'), file);
    texts.set(file, known);
    return known;
  };
  return (file, pattern) => {
    const matcher = new RegExp(pattern);
    const found = titlesOf(file);
    if (found.some((title) => titleMatches(title, matcher, []))) return true;
    // A table is in the file itself or in one that it imports.
    const own = textsOf(file);
    const imported = [...own]
      .filter((text) => /^\.\.?\/.*\.ts$/.test(text))
      .map((text) => join(dirname(file), text))
      .filter((path) => existsSync(join(root, path)));
    return [file, ...imported].some((path) =>
      found.some((title) => titleMatches(title, matcher, textsOf(path))),
    );
  };
}
