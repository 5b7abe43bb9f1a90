import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { freePort } from 'test-support/free-port';
import { temporaryFolder } from 'test-support/temporary-folder';
import { vi } from 'vitest';
import { type GatewayProcess, spawnGateway } from './spawn-gateway.ts';

export const ROOT: string = resolve(import.meta.dirname, '../../../..');

/** A code block of a task page, by its language and, if it has one, the name of the file that it is for. */
export async function blockOf(page: string, opening: string): Promise<string> {
  const text = await readFile(join(ROOT, 'docs/tasks', page), 'utf8');
  const [, block] = new RegExp(`^\`\`\`${opening}\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? [];
  if (block === undefined) throw new Error(`${page} has no block ${opening}`);
  return block;
}

/** What somebody has after the first task page: stations in SQLite, served on this computer. */
export class TaskServer implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  #gateway: GatewayProcess | undefined;
  readonly folder: string;
  readonly port: string;
  token = '';

  private constructor(folder: string, port: string) {
    this.folder = folder;
    this.port = port;
  }

  static async start(): Promise<TaskServer> {
    const folder = await temporaryFolder();
    const server = new TaskServer(folder.path, String(await freePort()));
    server.#stack.use(folder);
    const [, statements = ''] = /<<'SQL'\n(.*?)^SQL$/ms.exec(await blockOf('publish-a-table.md', 'sh')) ?? [];
    server.write(statements);
    const gateway = server.serve();
    [, server.token = ''] = await gateway.prints(/#token=([^&]+)&/);
    return server;
  }

  /** Serves again, with what the first start wrote. */
  serve(): GatewayProcess {
    this.#gateway = spawnGateway(
      ['serve', 'sqlite:stations.db', '--columns', 'suggested', '--port', this.port],
      { folder: this.folder },
    );
    return this.#stack.use(this.#gateway);
  }

  /** As with SIGKILL. */
  async kill(): Promise<void> {
    await this.#gateway?.stop('SIGKILL');
  }

  /** Ends as Ctrl-C does. */
  async stop(): Promise<void> {
    await this.#gateway?.stop('SIGINT');
  }

  /** Changes the table, as another program does. */
  write(sql: string): void {
    const database = new Sqlite(join(this.folder, 'stations.db'));
    database.exec(sql);
    database.close();
  }

  /** Starts a program of a page. */
  run(command: string, args: readonly string[]): Running {
    return new Running(
      spawn(command, args, {
        cwd: this.folder,
        env: { ...process.env, ROSTACK_TOKEN: this.token },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** A program at work, with what it prints. */
class Running implements AsyncDisposable {
  readonly #child: ChildProcess;
  #text = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#text += text;
      });
    }
  }

  /** Waits for a text; gives everything that was printed. */
  async prints(text: string): Promise<string> {
    await vi.waitUntil(() => this.#text.includes(text), { timeout: 30_000 });
    return this.#text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
