/** Builds the gateway and runs its convergence proof with the given options; see `tools/proving/soak/README.md`. */
import { spawnSync } from 'node:child_process';
import { root, run } from './run.ts';

if (run('turbo', ['run', 'build', '--filter=rostack-gateway...', '--output-logs=errors-only']) !== 0)
  process.exit(1);
const { status } = spawnSync(
  process.execPath,
  ['--conditions=workspace-source', 'tools/proving/soak/main.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
