import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { PostgresPrograms } from './programs.ts';
import { startOnPort } from './start-on-port.ts';

const USER = 'cluster';

/** A PostgreSQL server of our own, whose files can be copied, put back and followed by those of a standby. */
export class PostgresCluster {
  readonly #programs: PostgresPrograms;
  readonly #name: string;
  readonly #settings: readonly string[];
  #port: number | undefined;
  #isRunning = false;

  /** @param name of its data directory */
  constructor(programs: PostgresPrograms, name: string, settings: readonly string[] = []) {
    this.#programs = programs;
    this.#name = name;
    this.#settings = settings;
  }

  /** The same from its first start on. */
  get port(): number {
    if (this.#port === undefined) throw new Error('the server has no port before it is started');
    return this.#port;
  }

  /** Makes its data directory. */
  init(): Promise<void> {
    const authentication = ['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
    return this.#programs.call('initdb', '-D', this.#data(), '-U', USER, ...authentication);
  }

  async start(): Promise<void> {
    const { folder } = this.#programs;
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', ...this.#settings].map(
      (each) => `-c ${each}`,
    );
    const log = this.file(`${this.#name}.log`);
    this.#port = await startOnPort(this.#port, log, (port) => {
      const options = `-p ${port} -k ${folder} ${settings.join(' ')}`;
      return this.#programs.call('pg_ctl', '-D', this.#data(), '-l', log, '-o', options, '-w', 'start');
    });
    this.#isRunning = true;
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    await this.#programs.call('pg_ctl', '-D', this.#data(), '-m', mode, '-w', 'stop');
  }

  promote(): Promise<void> {
    return this.#programs.call('pg_ctl', '-D', this.#data(), '-w', 'promote');
  }

  /** Copies its data directory; it has to be stopped. */
  copyData(): Promise<void> {
    return this.#programs.callSystem('cp', '-a', this.#data(), this.#data('copy'));
  }

  /** Copies its data directory while it runs. */
  backUpBase(): Promise<void> {
    const options = ['-X', 'stream', '-c', 'fast', '--no-sync'];
    return this.#programs.call(
      'pg_basebackup',
      '-d',
      this.urlOf('postgres'),
      '-D',
      this.#data('copy'),
      ...options,
    );
  }

  /** Puts the copy in the place of the data directory; it has to be stopped. */
  async putCopyBack(): Promise<void> {
    await rm(this.#data(), { recursive: true });
    await rename(this.#data('copy'), this.#data());
  }

  /** Makes its data directory that of a standby. @param port through which it follows the primary */
  followFrom(port: number): Promise<void> {
    const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
    const options = ['-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    return this.#programs.call('pg_basebackup', '-d', url, '-D', this.#data(), ...options);
  }

  /** Deletes its data directory; it has to be stopped. */
  discard(): Promise<void> {
    return rm(this.#data(), { recursive: true, force: true });
  }

  urlOf(database: string, port = this.port): string {
    return `postgres://${USER}@127.0.0.1:${port}/${database}`;
  }

  async query(database: string, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a client program on a database. */
  call(program: string, database: string, ...argv: readonly string[]): Promise<void> {
    return this.#programs.call(program, '-d', this.urlOf(database), ...argv);
  }

  /** A file next to its data directory. */
  file(name: string): string {
    return join(this.#programs.folder, name);
  }

  #data(suffix = 'data'): string {
    return join(this.#programs.folder, `${this.#name}-${suffix}`);
  }
}
