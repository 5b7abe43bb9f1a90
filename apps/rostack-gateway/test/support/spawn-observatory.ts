import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const appFolder = resolve(import.meta.dirname, '../..');

/** The sample's process, as a user starts it. */
export class ObservatoryProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(environment: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, ['examples/observatory/main.ts'], {
      cwd: appFolder,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /** Waits until the sample has said how to use it. */
  async ready(): Promise<{
    baseUrl: string;
    certificatePem: string;
    token: string | undefined;
    command: string;
  }> {
    while (!this.stdout.includes('try: ')) {
      if (this.#child.exitCode !== null) throw new Error(`the observatory ended: ${this.stderr}`);
      await new Promise((done) => setTimeout(done, 20));
    }
    const [, baseUrl = ''] = /rostack gateway: (\S+)/.exec(this.stdout) ?? [];
    const [, certificate = ''] = /certificate: (\S+)/.exec(this.stdout) ?? [];
    const [, token] = /Rostack-Token (rostack_\w+)/.exec(this.stdout) ?? [];
    const [, command = ''] = /try: (.+)/.exec(this.stdout) ?? [];
    const certificatePem = await readFile(resolve(appFolder, certificate), 'utf8');
    return { baseUrl, certificatePem, token, command };
  }

  /** Runs a printed command in the folder that it was printed in. */
  static readonly folder = appFolder;

  async exited(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
  }
}
