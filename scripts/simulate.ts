/** Runs the simulation of the reading side with the given options; see `tools/proving/simulation/README.md`. */
import { spawnSync } from 'node:child_process';
import { root } from './run.ts';

const { status } = spawnSync(
  process.execPath,
  ['--conditions=workspace-source', 'tools/proving/simulation/main.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
