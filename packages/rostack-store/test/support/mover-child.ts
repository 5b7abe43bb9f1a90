import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from './databases.ts';
import type { AppTable } from './observations.ts';

const PROGRAM = fileURLToPath(new URL('./mover-process.ts', import.meta.url));

/** A mover in a process of its own. */
export class MoverChild implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly lines: string[] = [];
  #onLine: () => void = () => {};

  constructor(database: TestDatabase, app: Pick<AppTable, 'source'>) {
    const { url, schema } = database;
    this.#child = spawn(
      process.execPath,
      ['--conditions=workspace-source', PROGRAM, url, schema, JSON.stringify(app.source)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#exited = once(this.#child, 'exit');
    if (this.#child.stdout === null) throw new Error('the child has no output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#onLine();
    });
  }

  /** Whether it leads now, as far as it has told. */
  get leads(): boolean {
    return ['loading', 'following'].includes(this.lines.findLast((line) => !line.startsWith('alarm')) ?? '');
  }

  /** Resolves when it leads. */
  leading(): Promise<void> {
    return this.#until(() => this.leads);
  }

  /** Resolves when it has printed a line. */
  said(line: string): Promise<void> {
    return this.#until(() => this.lines.includes(line));
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#onLine = resolve;
      });
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
