/** Builds the kit and the gateway, and checks the gateway with the given options; see `pnpm conformance --help`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MATRIX, renderMatrix } from './conformance/render-matrix.ts';
import { root, run } from './run.ts';

if (
  run('turbo', [
    'run',
    'build',
    '--filter=rostack-conformance...',
    '--filter=rostack-gateway...',
    '--output-logs=errors-only',
  ]) !== 0
)
  process.exit(1);
const { status } = spawnSync(
  process.execPath,
  ['packages/rostack-conformance/test/whole/main.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
if (process.argv.includes('--record')) writeFileSync(join(root, MATRIX), renderMatrix(root));
process.exitCode = status ?? 1;
