import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { JsonObject } from 'rostack-core';
import { KitError } from '../base/kit-error.ts';
import type { Driver, DriverChange, DriverOperation, IssueRequest } from '../check/driver.ts';
import { type AnswerLine, parseAnswerLine, parseReadyLine, type ReadyLine } from './driver-lines.ts';

/** For the first line and for each answer; a driver may have to start or restart a whole system. */
const ANSWER_TIMEOUT_MS = 120_000;
const EXIT_TIMEOUT_MS = 10_000;

type Pending = PromiseWithResolvers<AnswerLine>;

/**
 * A driver that is a process: one JSON object per line, requests on its standard input, answers on its standard output. Its standard error
 * goes to ours. It ends when its input does.
 */
export class ProcessDriver implements Driver {
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<ReadyLine>();
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<unknown>;
  #hello: ReadyLine = { operations: new Set(), samples: {} };
  #isReady = false;
  #lastRequest = 0;

  private constructor(command: string) {
    this.#child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#exited = new Promise((resolve) => this.#child.once('close', resolve));
    const { stdin, stdout } = this.#child;
    // 'close' reports a driver that has ended.
    stdin?.on('error', () => {});
    if (stdout !== null) createInterface({ input: stdout }).on('line', (line) => this.#take(line));
    this.#child.once('error', (cause) => this.#fail(failure('does not start', { cause })));
    this.#child.once('close', (code) => this.#fail(failure(`has ended with ${code ?? 'a signal'}`)));
  }

  /**
   * Starts a driver and waits for its first line.
   * @param command for the shell
   * @throws KitError `driver_failed`
   */
  static async start(command: string): Promise<ProcessDriver> {
    const driver = new ProcessDriver(command);
    try {
      driver.#hello = await inTime(driver.#ready.promise, 'its first line');
      return driver;
    } catch (error) {
      await driver.close();
      throw error;
    }
  }

  get operations(): ReadonlySet<DriverOperation> {
    return this.#hello.operations;
  }

  get samples(): Readonly<Record<string, readonly JsonObject[]>> {
    return this.#hello.samples;
  }

  async put(resource: string, record: JsonObject): Promise<void> {
    await this.#ask('put', { resource, record });
  }

  async delete(resource: string, id: string): Promise<void> {
    await this.#ask('delete', { resource, id });
  }

  async burst(resource: string, changes: readonly DriverChange[]): Promise<void> {
    await this.#ask('burst', { resource, changes });
  }

  async issue({ expiresInMs, permissions }: IssueRequest): Promise<string> {
    const { token } = await this.#ask('issue', { expires_in_ms: expiresInMs, permissions });
    if (token === undefined) throw failure('returned no token for issue');
    return token;
  }

  async revoke(token: string): Promise<void> {
    await this.#ask('revoke', { token });
  }

  async drain(): Promise<void> {
    await this.#ask('drain', {});
  }

  async restart(): Promise<void> {
    await this.#ask('restart', {});
  }

  async prune(): Promise<void> {
    await this.#ask('prune', {});
  }

  async save(): Promise<void> {
    await this.#ask('save', {});
  }

  async restore(): Promise<void> {
    await this.#ask('restore', {});
  }

  /** Ends its input, waits for it to end, and kills it if it does not. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), EXIT_TIMEOUT_MS);
    if (this.#child.pid !== undefined) await this.#exited;
    clearTimeout(timer);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #ask(op: DriverOperation, members: object): Promise<AnswerLine> {
    if (!this.operations.has(op)) throw failure(`has no operation ${op}`);
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const pending: Pending = Promise.withResolvers();
    this.#pending.set(request, pending);
    this.#child.stdin?.write(`${JSON.stringify({ request, op, ...members })}\n`);
    try {
      const answer = await inTime(pending.promise, `its answer to ${op}`);
      if (answer.error !== undefined) throw failure(`cannot ${op}: ${answer.error}`);
      return answer;
    } finally {
      this.#pending.delete(request);
    }
  }

  #take(line: string): void {
    try {
      if (this.#isReady) {
        const answer = parseAnswerLine(line);
        this.#pending.get(answer.request)?.resolve(answer);
      } else {
        this.#ready.resolve(parseReadyLine(line));
        this.#isReady = true;
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#ready.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
  }
}

const failure = (what: string, options?: ErrorOptions) =>
  new KitError('driver_failed', `the driver ${what}`, options);

async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const stop = new AbortController();
  const timeout = once(AbortSignal.timeout(ANSWER_TIMEOUT_MS), 'abort', { signal: stop.signal }).then(() => {
    throw failure(`did not give ${what} within ${ANSWER_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    timeout.catch(() => {});
    stop.abort();
  }
}
