/** Runs everything that CI runs, in order, and stops at the first failure. */
import { run } from './run.ts';

const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format', 'biome', 'ci', '--error-on-warnings', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['build and types', 'turbo', 'run', 'build', 'typecheck', '--output-logs=errors-only'],
  ['types of the root', 'tsc', '-p', 'tsconfig.json'],
  ['tests', 'vitest', 'run'],
];

for (const [name, command, ...args] of STEPS) {
  const startedMs = performance.now();
  console.log(`\n▶ ${name}: ${command} ${args.join(' ')}`);
  if (run(command, args) !== 0) {
    console.error(`✗ ${name} failed`);
    process.exit(1);
  }
  console.log(`✓ ${name} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
}
