import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { JsonObject } from 'rostack-core';
import { KitError } from '../../base/kit-error.ts';
import type { Activity } from './activity.ts';
import { type AdapterChange, type AdapterError, parseAdapterLine } from './adapter-line.ts';

/** What the first line to an adapter says. */
export interface FollowCommand {
  /** Base URL for discovery. */
  readonly url: string;
  /** A shared token. */
  readonly token: string;
  readonly resource: string;
  /** A path that nothing else uses, for state that has to outlive the process. */
  readonly state: string;
  readonly filter?: JsonObject | undefined;
}

/** How an adapter is started. */
export interface AdapterSetup {
  /** A command line for the shell. */
  readonly command: string;
  /** File of the certificate to trust. */
  readonly caFile: string;
  readonly activity: Activity;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/**
 * A process that contains the client under test. Lines of JSON go both ways: the first one says what to follow, the adapter reports each
 * change, and it counts a change as processed when it is answered with `{ "type": "processed" }`.
 */
export class Adapter implements AsyncDisposable {
  readonly changes: AdapterChange[] = [];
  readonly errors: AdapterError[] = [];
  /** Everything that it has written, to search for credentials. */
  output = '';
  /** Set after an invalid line or a failed start; the check cannot continue. */
  fault: KitError | undefined;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #activity: Activity;
  #isHolding = false;
  #unanswered = 0;

  constructor({ command, caFile, activity, signal }: AdapterSetup, follow: FollowCommand) {
    this.#activity = activity;
    // Its own process group, so that everything the shell starts ends with it.
    this.#process = spawn(command, {
      shell: true,
      detached: true,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile, SSL_CERT_FILE: caFile },
    });
    const stop = (): void => this.#kill();
    signal.addEventListener('abort', stop, { once: true });
    this.#ended = new Promise((resolve) => {
      this.#process.once('close', () => {
        signal.removeEventListener('abort', stop);
        activity.notify();
        resolve();
      });
    });
    this.#process.once('error', (error) => this.#fail(`the adapter does not start: ${error.message}`, error));
    // Writing fails once the process has ended.
    this.#process.stdin.on('error', () => {});
    this.#process.stderr.on('data', (data: Buffer) => {
      this.output += data.toString('utf8');
    });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#take(line));
    this.#tell({ type: 'follow', ca: caFile, ...follow });
  }

  /** The records of the latest change; undefined before the first change. */
  get records(): AdapterChange['records'] | undefined {
    return this.changes.at(-1)?.records;
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Stops answering changes, as if the application were busy. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Answers the changes that wait, as if the application were done. */
  release(): void {
    this.#isHolding = false;
    for (; this.#unanswered > 0; this.#unanswered -= 1) this.#tell({ type: 'processed' });
  }

  /** Kills the process at once, as a power failure would. */
  async kill(): Promise<void> {
    this.#kill();
    if (this.#process.pid !== undefined) await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #kill(): void {
    const { pid } = this.#process;
    if (pid === undefined || this.hasEnded) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group has just ended by itself, or the system has no groups.
      this.#process.kill('SIGKILL');
    }
  }

  #take(text: string): void {
    this.output += `${text}\n`;
    try {
      const line = parseAdapterLine(text);
      if (line.type === 'error') this.errors.push(line);
      else {
        this.changes.push(line);
        this.#unanswered += 1;
        if (!this.#isHolding) this.release();
      }
    } catch (error) {
      if (!(error instanceof KitError)) throw error;
      this.fault ??= error;
    }
    this.#activity.notify();
  }

  #fail(message: string, cause: Error): void {
    this.fault ??= new KitError('adapter_failed', message, { cause });
    this.#activity.notify();
  }

  #tell(line: object): void {
    this.#process.stdin.write(`${JSON.stringify(line)}\n`);
  }
}
