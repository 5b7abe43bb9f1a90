import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Running extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
}

/** Starts a program and reads the port that it prints. */
export async function run(
  args: readonly string[],
  environment: Record<string, string>,
  pattern: RegExp,
): Promise<Running> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  while (!pattern.test(text)) {
    if (child.exitCode !== null) throw new Error(`ended: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    pid: child.pid ?? 0,
    port: Number(pattern.exec(text)?.[1]),
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
