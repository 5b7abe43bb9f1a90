/**
 * Checks the working tree, stops at the first failure, and prints what went wrong, the seed and the longest test files.
 *
 * - without an option: everything that a commit can break, as CI does (`npm test`)
 * - `--changed`: format, types and build, and the tests of the packages that differ from main (`npm run check`)
 * - `--night [--shard 1/4]`: what takes long too, with ten times the random cases (`npm run test:night`)
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { baseOfChanges, changedFiles } from './changes.ts';
import { environment, root } from './run.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Whether its output is shown while it runs; otherwise it is only shown if it fails. */
  readonly isShown?: boolean;
  /** Of its random tests. @default that of the run */
  readonly seed?: string;
}

const COMMIT_PROJECTS = ['unit', 'integration', 'repository'];
const ALL_PROJECTS = [...COMMIT_PROJECTS, 'timed', 'night'];

const { values } = parseArgs({
  options: { changed: { type: 'boolean' }, night: { type: 'boolean' }, shard: { type: 'string' } },
});

/** How many times as many random cases the night tries. */
const NIGHT_RUNS = '10';

/** What the linter knows of types comes from the compiler, which tells its own errors too. */
const lintAndTypes: Step = {
  name: 'lint and types',
  command: ['oxlint', '--type-aware', '--type-check', '--deny-warnings'],
};

const measures = mkdtempSync(join(tmpdir(), 'check-'));
process.once('exit', () => rmSync(measures, { recursive: true, force: true }));

const seed = process.env['TEST_SEED'] ?? String(randomInt(2 ** 31));
console.log(`seed ${seed}: TEST_SEED=${seed} repeats the random tests`);

for (const stage of stages()) {
  const results = await Promise.all(stage.map(runStep));
  if (results.includes(false)) process.exit(1);
}

/** The steps of one stage do not depend on each other. */
function stages(): readonly (readonly Step[])[] {
  if (values.changed === true) return changedStages();
  const longTests = values.night === true ? [[vitest('long tests', ['night'], shardOptions())]] : [];
  return [
    [format(), build()],
    // The examples import what was built, so types can only be checked after the build; beside the tests, which wait for
    // sockets and databases a third of the time.
    [lintAndTypes, vitest('tests', COMMIT_PROJECTS, shardOptions())],
    ...longTests,
    // Alone and last: the load of the other tests is not to be judged.
    [vitest('timed tests', ['timed'])],
    ...foundSeeds(),
  ];
}

/** Seeds with which a random test has failed once, from `test/found-seeds.json`. */
function foundSeeds(): readonly (readonly Step[])[] {
  const found = JSON.parse(readFileSync(join(root, 'test/found-seeds.json'), 'utf8')) as {
    readonly file: string;
    readonly seed: number;
  }[];
  return found.map(({ file, seed: once }) => [
    { ...vitest(`${file} with seed ${once}`, ALL_PROJECTS, [file]), seed: String(once) },
  ]);
}

function changedStages(): readonly (readonly Step[])[] {
  const base = baseOfChanges();
  const files = changedFiles(base);
  const packages = [...new Set(files.flatMap((file) => /^(?:packages|apps)\/[^/]+\//.exec(file) ?? []))];
  const tests = [...packages, ...files.filter((file) => /^test\/.*\.test\.ts$/.test(file))];
  console.log(tests.length === 0 ? 'no package differs from main' : `tests of ${tests.join(', ')}`);
  return [
    [format(), build([`--filter=...[${base}]`])],
    [lintAndTypes],
    tests.length === 0 ? [] : [vitest('tests', COMMIT_PROJECTS, tests)],
  ];
}

function format(): Step {
  return { name: 'format', command: ['biome', 'ci', '--error-on-warnings', '.'] };
}

function build(filter: readonly string[] = []): Step {
  return { name: 'build', command: ['turbo', 'run', '--output-logs=errors-only', 'build', ...filter] };
}

function vitest(name: string, projects: readonly string[], more: readonly string[] = []): Step {
  const reporters = ['dot', './scripts/longest-files.ts', './scripts/judge-run.ts'];
  return {
    name,
    command: [
      'vitest',
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...reporters.map((reporter) => `--reporter=${reporter}`),
      '--passWithNoTests',
      ...more,
    ],
    isShown: true,
  };
}

function shardOptions(): readonly string[] {
  return values.shard === undefined ? [] : [`--shard=${values.shard}`];
}

async function runStep({
  name,
  command: [command, ...args],
  isShown = false,
  seed: ownSeed = seed,
}: Step): Promise<boolean> {
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    env: {
      ...environment,
      TEST_SEED: ownSeed,
      // Of this step alone; there is no such measure where there is no /proc.
      ...(existsSync('/proc/self/stat') && {
        TEST_PROCESSOR_FILE: join(measures, name.replaceAll('/', '_')),
      }),
      ...(values.night === true && { TEST_RUNS: process.env['TEST_RUNS'] ?? NIGHT_RUNS }),
    },
  });
  const ended = new Promise<string | number | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const [outcome, ...written] = await Promise.all([ended, ...streams.map((stream) => text(stream))]);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (outcome === 0) {
    console.log(`✓ ${name} (${seconds} s)`);
    return true;
  }
  console.error(
    `${written.join('')}✗ ${name} (${seconds} s): ${command} ${args.join(' ')}: ${String(outcome)}`,
  );
  return false;
}
