import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtProgram } from 'test-support/built-program';

/** The built program as a process of its own. */
export interface Program extends AsyncDisposable {
  readonly url: string;
  readonly output: () => string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Asks it to stop. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** @param log what both outputs are written to, as a descriptor. @default kept for `output` */
export function spawnMain(
  environment: Record<string, string>,
  log?: number,
): {
  child: ChildProcess;
  output: () => string;
} {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [builtProgram('apps/cafeteria-web/dist/main.js')], {
    env: { PATH, NODE_COMPILE_CACHE, CAFETERIA_PORT: '0', ...environment },
    stdio: ['ignore', log ?? 'pipe', log ?? 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

/** Starts the program and waits until it prints its address. */
export async function startProgram(environment: Record<string, string>): Promise<Program> {
  const { child, output } = spawnMain(environment);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const find = (): string | undefined => /Cafeteria menus: (http:\S+)/.exec(output())?.[1];
  while (find() === undefined) {
    if (child.exitCode !== null) throw new Error(`the program ended: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await exited)[0];
  };
  const kill = async (): Promise<void> => {
    await stop('SIGKILL');
  };
  return { url: find() ?? '', output, stop, kill, [Symbol.asyncDispose]: kill };
}

/** Waits until the condition holds; throws after the time. */
export async function until(
  what: string,
  condition: () => Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const endMs = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
