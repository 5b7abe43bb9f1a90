import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from 'test-support/built-program';
import { localhostCertificate } from 'test-support/certificate';

const folder = mkdtempSync(join(tmpdir(), 'rostack-explorer-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const authority = join(folder, 'localhost.crt.pem');
writeFileSync(authority, (await localhostCertificate()).cert);

/** Runs the built program; it trusts the certificate of the test's servers. */
export function runExplorer(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ExplorerProcess {
  return new ExplorerProcess(
    spawn(process.execPath, [builtProgram('packages/rostack-explorer/dist/cli/main.js'), ...args], {
      env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: authority, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** The command in a process of its own. */
export class ExplorerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  stdout = '';
  stderr = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
  }

  /** Waits until it serves. */
  static async start(...how: Parameters<typeof runExplorer>): Promise<ExplorerProcess> {
    const explorer = runExplorer(...how);
    while (!explorer.stdout.includes('\n')) {
      if (explorer.#child.exitCode !== null) throw new Error(`the explorer ended: ${explorer.stderr}`);
      await new Promise((done) => setTimeout(done, 10));
    }
    return explorer;
  }

  /** Address of the page. */
  get url(): string {
    return /http:\/\/\S+/.exec(this.stdout)?.[0] ?? '';
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  /** Asks for the page by another host name. */
  async requestAs(host: string): Promise<{ readonly status: number | undefined }> {
    const [answer] = (await once(request(this.url, { headers: { host } }).end(), 'response')) as [
      { readonly statusCode: number; resume: () => void },
    ];
    answer.resume();
    return { status: answer.statusCode };
  }

  /** The exit code, when everything was read. */
  async exited(): Promise<number | null> {
    if (this.#child.stdout?.closed !== true || this.#child.stderr?.closed !== true)
      await once(this.#child, 'close');
    return this.#child.exitCode;
  }

  stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
  }
}
