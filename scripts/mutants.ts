/**
 * Puts each known fault into a copy of the sources and runs the tests that have to notice it. Prints the faults that no
 * test noticed, and ends with 1 if there are any.
 *
 * `pnpm mutants [--only TEXT] [--shard 1/4] [--list]`
 */
import { parseArgs } from 'node:util';
import { copyTree } from './mutants/copied-tree.ts';
import { mutants } from './mutants/index.ts';
import { mutantFaults } from './mutants/mutant-faults.ts';
import { tryMutant } from './mutants/try-mutant.ts';
import { root } from './run.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    shard: { type: 'string', default: '1/1' },
    list: { type: 'boolean', default: false },
  },
});
const [shard = 1, shards = 1] = values.shard.split('/').map(Number);
const chosen = mutants
  .filter(({ name, file }) => values.only.every((text) => name.includes(text) || file.includes(text)))
  .filter((_, index) => index % shards === shard - 1);

const faults = mutantFaults(chosen, root);
if (faults.length > 0) {
  console.error(`Mend these entries first:\n${faults.join('\n')}`);
  process.exit(1);
}
if (values.list) {
  for (const { name, file } of chosen) console.log(`${file}: ${name}`);
  process.exit(0);
}

using tree = copyTree(root);
const survivors: string[] = [];
for (const mutant of chosen) {
  const startedMs = performance.now();
  const outcome = tryMutant(mutant, tree.root);
  console.log(`${outcome} (${((performance.now() - startedMs) / 1000).toFixed(1)} s): ${mutant.name}`);
  if (outcome !== 'noticed') survivors.push(`${mutant.name} (${mutant.file}): ${outcome}`);
}
console.log(`\n${chosen.length - survivors.length} of ${chosen.length} were noticed`);
if (survivors.length > 0) console.log(`Not noticed:\n${survivors.join('\n')}`);
process.exitCode = survivors.length > 0 ? 1 : 0;
