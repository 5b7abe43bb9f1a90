import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** For commands of the workspace: turns off telemetry. */
export const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };

/** Runs a command of the workspace in the root folder and returns its exit code; its output goes to ours. */
export function run(command: string, args: readonly string[]): number {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  });
  if (error) console.error(`${command} did not start: ${error.message}`);
  return status ?? 1;
}

/** Like `run`, but in parallel with others. */
export function runBeside(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment });
    child.once('close', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      console.error(`${command} did not start: ${error.message}`);
      resolve(1);
    });
  });
}
