/**
 * Puts each known fault into a copy of the sources and runs the tests that have to notice it. Prints the faults that no
 * test noticed, and ends with 1 if there are any.
 *
 * `pnpm mutants [--only TEXT] [--shard 1/4] [--list]`
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyTree } from './mutants/copied-tree.ts';
import { mutants } from './mutants/index.ts';
import type { Mutant } from './mutants/mutant.ts';
import { mutantFaults } from './mutants/mutant-faults.ts';
import { environment, root } from './run.ts';

const PATIENCE_MS = 300_000;
const REPORT = 'mutant-report.json';

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

/** Whether the tests pass without the fault is not asked here: they do in the commit's own run. */
function tryMutant({ file, find, replace, tests, testNamePattern }: Mutant, copy: string): string {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  rmSync(join(copy, REPORT), { force: true });
  const { status, error } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...tests,
      '--reporter=json',
      `--outputFile=${REPORT}`,
      '--bail=1',
      ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
    ],
    {
      cwd: copy,
      stdio: 'ignore',
      env: environment,
      timeout: PATIENCE_MS,
    },
  );
  writeFileSync(path, source);
  // A test that hangs because of the fault has noticed it; Vitest ends by itself when it is told to.
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') return 'noticed';
  if (status === 0) return 'not noticed';
  // A file that cannot be loaded fails too, and says nothing about the fault.
  const report = existsSync(join(copy, REPORT)) ? readFileSync(join(copy, REPORT), 'utf8') : '{}';
  const { numFailedTests = 0 } = JSON.parse(report) as { numFailedTests?: number };
  return numFailedTests > 0 ? 'noticed' : 'no test ran';
}
