import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** Why these mutants cannot be tried in the tree below `root`: a text that is gone, a missing test, a name given twice. */
export function mutantFaults(mutants: readonly Mutant[], root: string): string[] {
  const names = new Set<string>();
  return mutants.flatMap(({ name, file, find, replace, tests }) => {
    const faults: string[] = [];
    if (names.has(name)) faults.push('another mutant has this name');
    names.add(name);
    if (find === replace) faults.push('it changes nothing');
    const found = existsSync(join(root, file))
      ? readFileSync(join(root, file), 'utf8').split(find).length - 1
      : 0;
    if (found !== 1) faults.push(`its text occurs ${found} times in ${file}, not once`);
    for (const test of tests) if (!existsSync(join(root, test))) faults.push(`${test} does not exist`);
    return faults.map((fault) => `${name}: ${fault}`);
  });
}
