import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Running {
  /** What it has written to standard output. */
  readonly output: () => string;
  /** Ends the program and all that it has started. */
  stop(): Promise<void>;
}

/**
 * Runs a program until its standard output matches, and lets it run on.
 * @throws Error with all that it wrote, when it ends before
 */
export async function runUntil(
  pattern: RegExp,
  [command, ...args]: readonly [string, ...string[]],
  {
    cwd,
    env,
    input = '',
  }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Running> {
  // A group of its own: npx starts a shell that starts the program, and they do not all pass signals on.
  const child = spawn(command, args, { cwd, env, detached: true });
  const ended = once(child, 'close');
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.write(input);
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (pattern.test(output)) resolve();
    });
    child.once('close', (code) => {
      const ending = `${[command, ...args].join(' ')} ended with ${code} before ${String(pattern)}`;
      reject(new Error(`${ending}:\n${output}${errors}`));
    });
    child.once('error', reject);
  });
  return {
    output: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        process.kill(-child.pid, 'SIGTERM');
      }
      await ended;
    },
  };
}
