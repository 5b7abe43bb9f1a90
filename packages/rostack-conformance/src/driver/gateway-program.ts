import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { KitError } from '../base/kit-error.ts';

/** How to run `rostack-gateway`. */
export interface GatewayProgramOptions {
  /** The program and its first arguments, such as `['npx', 'rostack-gateway']`. */
  readonly argv: readonly [string, ...string[]];
  /** Path of its configuration. */
  readonly config: string;
}

/** The addresses of a gateway that has started. */
export interface Served {
  readonly url: string;
  readonly adminPort: number;
}

const ANNOUNCED = /^rostack-gateway: (\S+) on port \d+\nadmin listener on port (\d+)$/m;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;
const MAX_LOG_SHOWN = 2_000;

/** A gateway as a separate process, and the commands for its configuration. Close it, or it goes on serving. */
export class GatewayProgram implements AsyncDisposable {
  readonly #options: GatewayProgramOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();

  constructor(options: GatewayProgramOptions) {
    this.#options = options;
  }

  /**
   * Starts it, and waits until both listeners serve.
   * @throws KitError `driver_failed`
   */
  async start(environment: Readonly<Record<string, string>> = {}): Promise<Served> {
    const child = this.#spawn(['start'], environment);
    this.#child = child;
    this.#exited = once(child, 'close');
    const { promise, resolve, reject } = Promise.withResolvers<Served>();
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const [, url, adminPort] = ANNOUNCED.exec(said) ?? [];
      if (url !== undefined) resolve({ url, adminPort: Number(adminPort) });
    });
    // Unread output would keep `close` from being emitted.
    let logged = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      logged = (logged + chunk).slice(-MAX_LOG_SHOWN);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      reject(failure(`the gateway ended with ${code ?? 'a signal'} at its start: ${logged.trim()}`)),
    );
    const timer = setTimeout(() => reject(failure('the gateway does not start')), START_TIMEOUT_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      // `stop` waits for its end, so a later rejection does not matter.
      promise.catch(() => {});
    }
  }

  /** Another program with the same configuration, not started. */
  another(): GatewayProgram {
    return new GatewayProgram(this.#options);
  }

  /** Asks it to drain and end; returns at once. */
  drain(): void {
    this.#signal('SIGTERM');
  }

  /** Ends it without a drain, or waits for the current drain to end. */
  async stop(isDraining: boolean): Promise<void> {
    if (!isDraining) this.#signal('SIGKILL');
    const timer = setTimeout(() => this.#signal('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
    this.#child = undefined;
  }

  /**
   * Runs another command to its end and returns its output.
   * @throws KitError `driver_failed`, with its error output
   */
  async run(command: readonly string[]): Promise<string> {
    return printedBy(this.#spawn(command, {}), command.join(' '));
  }

  /**
   * Runs a shell command to its end.
   * @throws KitError `driver_failed`, with its error output
   */
  async runInShell(command: string): Promise<void> {
    await printedBy(spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] }), command);
  }

  async close(): Promise<void> {
    await this.stop(false);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #spawn(command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
    const [program, ...first] = this.#options.argv;
    return spawn(program, [...first, ...command, '--config', this.#options.config], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that signals also reach a gateway behind npx.
      detached: true,
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended in the meantime.
    }
  }
}

async function printedBy(child: ChildProcess, command: string): Promise<string> {
  const ended = once(child, 'close');
  const [printed, said] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw failure(`${command} ended with ${code ?? 'a signal'}: ${said.trim()}`);
  return printed.trim();
}

const failure = (message: string) => new KitError('driver_failed', message);
