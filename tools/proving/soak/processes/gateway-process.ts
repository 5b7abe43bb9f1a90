import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const START_TIMEOUT_MS = 120_000;
/** What it writes once it serves. */
const READY = /^rostack-gateway: .* on port \d+$/m;
/** Output kept for the report of a failure. */
const KEPT_OUTPUT = 20_000;

export interface GatewayCommand {
  /** Arguments of node. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
}

/** One gateway as a process of its own, started again and again on the same port. */
export class GatewayProcess implements AsyncDisposable {
  readonly name: string;
  readonly #command: GatewayCommand;
  #child: ChildProcess | undefined;
  #clockOffsetMs = 0;
  /** The end of its standard error. */
  output = '';

  constructor(name: string, command: GatewayCommand) {
    this.name = name;
    this.#command = command;
  }

  get port(): number {
    return this.#command.port;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it and waits until it serves; starts it again where it ends by itself, as when the database is away. */
  async start(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!this.isRunning) {
      if (performance.now() > deadline) throw new Error(`${this.name} does not start:\n${this.output}`);
      await this.#startOnce();
    }
  }

  /** Steps its clock: from now on it is off by so much. */
  setClock(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs;
    this.#sendClock();
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Asks it to drain and go; returns the exit code. */
  async terminate(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Stops it in the middle of its work with its sockets open, like a process that waits for memory or a debugger. */
  pause(): void {
    if (this.isRunning) this.#child?.kill('SIGSTOP');
  }

  /** Lets it go on from where it was paused. */
  resume(): void {
    if (this.isRunning) this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (this.isRunning) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  }

  #sendClock(): void {
    if (this.isRunning && this.#child?.connected === true) {
      this.#child.send({ clockOffsetMs: this.#clockOffsetMs }, () => {});
    }
  }

  /** Resolves when it serves, or has ended. */
  async #startOnce(): Promise<void> {
    const { argv, env } = this.#command;
    const child = spawn(process.execPath, [...argv], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    let started = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      started += text;
      if (READY.test(started)) resolve();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.output = (this.output + text).slice(-KEPT_OUTPUT);
    });
    child.once('exit', () => resolve());
    // A step of the clock that meets the end of the process.
    child.on('error', () => {});
    this.#sendClock();
    await promise;
  }
}
