import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a file of an npm package with this Node and waits until it ends. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...options.env },
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output, errors };
}
