import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../run.ts';
import type { Mutant } from './mutant.ts';

const PATIENCE_MS = 300_000;
const REPORT = 'mutant-report.json';
/** What `builtProgram` of `tools/test-support` says of a program that was built without the fault. */
const STALE = 'dist is older than the sources of';

type Outcome = 'noticed' | 'not noticed' | 'no test ran' | 'cannot be built';

/**
 * Puts a fault into a copied tree, runs its tests, and takes it out again. Programs that the tests start are built with the fault.
 * Whether the tests pass without the fault is not asked here: they do in the commit's own run.
 * @param copy the root of the tree
 */
export function tryMutant(mutant: Mutant, copy: string): Outcome {
  const path = join(copy, mutant.file);
  const source = readFileSync(path, 'utf8');
  let isBuilt = false;
  writeFileSync(
    path,
    source.replace(mutant.find, () => mutant.replace),
  );
  try {
    const outcome = runTests(mutant, copy);
    if (outcome !== 'stale') return outcome;
    isBuilt = true;
    if (!build(copy)) return 'cannot be built';
    const again = runTests(mutant, copy);
    return again === 'stale' ? 'cannot be built' : again;
  } finally {
    writeFileSync(path, source);
    if (isBuilt) build(copy);
  }
}

/** Turbo builds what has changed, and has the rest from before. */
const build = (copy: string): boolean =>
  spawnSync(join(copy, 'node_modules/.bin/turbo'), ['run', 'build'], {
    cwd: copy,
    stdio: 'ignore',
    env: environment,
  }).status === 0;

function runTests({ tests, testNamePattern }: Mutant, copy: string): Outcome | 'stale' {
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
  // A test that hangs because of the fault has noticed it; Vitest ends by itself when it is told to.
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') return 'noticed';
  if (status === 0) return 'not noticed';
  // A file that cannot be loaded fails too, and says nothing about the fault.
  const report = existsSync(join(copy, REPORT)) ? readFileSync(join(copy, REPORT), 'utf8') : '{}';
  if (report.includes(STALE)) return 'stale';
  const { numFailedTests = 0 } = JSON.parse(report) as { numFailedTests?: number };
  return numFailedTests > 0 ? 'noticed' : 'no test ran';
}
