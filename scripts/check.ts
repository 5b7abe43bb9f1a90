/** Runs everything that CI runs, stops at the first failure, and prints what went wrong, the seed and the longest test files. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { environment, root } from './run.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Whether its output is shown while it runs; otherwise it is only shown if it fails. */
  readonly isShown?: boolean;
}

/** The steps of one stage do not depend on each other. */
const STAGES: readonly (readonly Step[])[] = [
  [
    { name: 'format', command: ['biome', 'ci', '--error-on-warnings', '.'] },
    {
      name: 'build and types',
      command: ['turbo', 'run', 'build', 'typecheck', '--output-logs=errors-only'],
    },
  ],
  [
    // The examples import what was built, so rules that need types can only be checked after the build.
    { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
    { name: 'types of the root', command: ['tsc', '-p', 'tsconfig.json'] },
  ],
  [
    {
      name: 'tests',
      command: ['vitest', 'run', '--reporter=dot', '--reporter=./scripts/longest-files.ts'],
      isShown: true,
    },
  ],
];

const seed = process.env['TEST_SEED'] ?? String(randomInt(2 ** 31));
console.log(`seed ${seed}: TEST_SEED=${seed} repeats the random tests`);

for (const stage of STAGES) {
  const results = await Promise.all(stage.map(runStep));
  if (results.includes(false)) process.exit(1);
}

async function runStep({ name, command: [command, ...args], isShown = false }: Step): Promise<boolean> {
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    env: { ...environment, TEST_SEED: seed },
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
