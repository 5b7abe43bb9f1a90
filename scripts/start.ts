/** Builds and runs both applications until a signal. If one of them ends, stops the other and exits with the same code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { root, run } from './run.ts';

const dataDir = resolve(root, process.env.DATA_DIR ?? 'data');

const APPLICATIONS: readonly (readonly [name: string, ...argv: string[]])[] = [
  ['rostack gateway', 'apps/rostack-gateway/examples/observatory/main.ts'],
  // The same as its own start command.
  [
    'cafeteria',
    '--max-semi-space-size=8',
    '--no-parallel-scavenge',
    '--heap-growing-percent=40',
    'apps/cafeteria-web/dist/main.js',
  ],
];

if (run('turbo', ['run', 'build', '--output-logs=errors-only', '--log-order=grouped']) !== 0) process.exit(1);

let exitCode = 0;
let stopping = false;
const running = new Set<ChildProcess>();

function stop(signal: NodeJS.Signals): void {
  stopping = true;
  for (const child of running) child.kill(signal);
}

for (const [name, ...argv] of APPLICATIONS) {
  const child = spawn(process.execPath, argv, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: dataDir },
  });
  running.add(child);
  child.on('exit', (code, signal) => {
    running.delete(child);
    if (!stopping) {
      console.error(`The ${name} ended (${signal ?? `exit code ${code}`}); stopping the other application.`);
      exitCode = code === 0 ? 1 : (code ?? 1);
      stop('SIGTERM');
    } else if (code !== 0 && exitCode === 0) {
      exitCode = code ?? 1;
    }
    if (running.size === 0) process.exit(exitCode);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
