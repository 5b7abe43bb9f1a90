import { Client, type ClientConfig, Pool, types } from 'pg';
import { SourceUnavailableError } from 'rostack-core';
import { StoreUnavailableError } from '../errors/index.ts';
import type { PoolStatus } from '../store-options.ts';
import type { Database, Work } from './database.ts';
import type { Dialect } from './dialect.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { isRepeatable, isUnavailable, QueryFailure } from './postgres-failure.ts';
import { PostgresListener } from './postgres-listener.ts';
import { PostgresSession } from './postgres-session.ts';

export interface PostgresOptions {
  readonly schema: string;
  readonly maxConnections: number;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** How often other processes' writes are looked for while someone watches. */
  readonly pollIntervalMs: number;
  /** Whether hints go through NOTIFY and LISTEN; polling does not depend on it. */
  readonly notifies: boolean;
  /** Called when hints stopped coming; polling goes on. */
  readonly onWatchFailure: (error: unknown) => void;
}

/** Tries of a transaction that loses against others. */
const MAX_ATTEMPTS = 5;
/** What connecting and the network may add to the server's own time limit. */
const NETWORK_MS = 1_000;
/** Payload of a hint; PostgreSQL refuses 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

/** Every bigint here is a safe integer: a position, a count or a time. */
const getTypeParser = ((...request: Parameters<typeof types.getTypeParser>) =>
  request[0] === types.builtins.INT8
    ? Number
    : types.getTypeParser(...request)) as typeof types.getTypeParser;

/** A PostgreSQL database: reads on snapshots; writes read committed, in turn by the row locks they take. */
export class PostgresDatabase implements Database {
  readonly dialect: Dialect;
  readonly #connection: ClientConfig;
  readonly #options: PostgresOptions;
  readonly #channel: string;
  readonly #pool: Pool;
  /** Named statements are planned once per connection; the same text has the same name on all. */
  readonly #names = new Map<string, string>();
  readonly #hinted = new Set<string>();
  #isHinting = false;

  constructor(url: string, options: PostgresOptions) {
    this.dialect = postgresDialect(options.schema);
    this.#options = options;
    this.#channel = `rostack_store_${options.schema}`;
    this.#connection = {
      connectionString: url,
      connectionTimeoutMillis: options.readTimeoutMs + NETWORK_MS,
      statement_timeout: options.readTimeoutMs,
      keepAlive: true,
      application_name: 'rostack-store',
      types: { getTypeParser },
    };
    this.#pool = new Pool({ ...this.#connection, pipeline: true, max: options.maxConnections - 1 });
    // An idle connection that breaks is dropped by the pool; the next query opens another.
    this.#pool.on('error', () => {});
    // So is one that breaks while it is in use; between two queries nobody else would hear of it.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  get pool(): PoolStatus {
    const { totalCount: total, idleCount: idle, waitingCount: waiting, options } = this.#pool;
    return { total, idle, waiting, max: options.max };
  }

  read<T>(work: () => Work<T>): Promise<T> {
    return this.#look('begin isolation level repeatable read read only', work);
  }

  readShort<T>(work: () => Work<T>): Promise<T> {
    return this.read(work);
  }

  ask<T>(work: () => Work<T>): Promise<T> {
    return this.#look(undefined, work);
  }

  async #look<T>(begin: string | undefined, work: () => Work<T>): Promise<T> {
    try {
      return await this.#transaction(begin, this.#options.readTimeoutMs, work);
    } catch (error) {
      if (!(error instanceof QueryFailure)) throw error;
      throw isUnavailable(error)
        ? new SourceUnavailableError(error.message, { cause: error.cause })
        : error.cause;
    }
  }

  async write<T>(work: () => Work<T>): Promise<T> {
    const { writeTimeoutMs } = this.#options;
    const begin = `begin isolation level read committed; set local statement_timeout = ${Math.ceil(writeTimeoutMs)}`;
    try {
      return await this.#transaction(begin, writeTimeoutMs, work);
    } catch (error) {
      if (!(error instanceof QueryFailure)) throw error;
      throw isUnavailable(error)
        ? new StoreUnavailableError(error.message, { cause: error.cause })
        : error.cause;
    }
  }

  watch(onHint: (resources: readonly string[] | undefined) => void): () => void {
    const { pollIntervalMs, notifies, onWatchFailure: onFailure } = this.#options;
    if (!notifies) return poll(pollIntervalMs, onHint);
    const listener = new PostgresListener(
      this.#connection,
      this.#channel,
      { pollIntervalMs, onFailure },
      onHint,
    );
    return () => {
      listener.close();
    };
  }

  /**
   * A connection of its own, outside the pool; whoever asks for it ends it.
   * @param statementTimeoutMs time for one statement on it
   * @throws Error of the driver when there is no connection
   */
  async openSession(statementTimeoutMs: number): Promise<Client> {
    const client = new Client({
      ...this.#connection,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + NETWORK_MS,
    });
    // Without a listener a connection that breaks would end the process; its queries fail all the same.
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Sent after the commit and one at a time: a notification inside the transaction would hold a lock of the whole server. */
  hint(resources: readonly string[]): void {
    if (!this.#options.notifies) return;
    for (const resource of resources) this.#hinted.add(resource);
    if (!this.#isHinting) void this.#sendHints();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #sendHints(): Promise<void> {
    this.#isHinting = true;
    while (this.#hinted.size > 0) {
      const names = [...this.#hinted].join(',');
      this.#hinted.clear();
      const payload = names.length > MAX_PAYLOAD_BYTES ? '' : names;
      // A hint that is lost is made good by polling.
      await this.#pool.query('select pg_notify($1, $2)', [this.#channel, payload]).catch(() => {});
    }
    this.#isHinting = false;
  }

  async #transaction<T>(begin: string | undefined, timeoutMs: number, work: () => Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(begin, timeoutMs, work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(error instanceof QueryFailure) || !isRepeatable(error)) throw error;
      }
    }
  }

  async #attempt<T>(begin: string | undefined, timeoutMs: number, work: () => Work<T>): Promise<T> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      throw new QueryFailure(cause);
    });
    const session = new PostgresSession(client, this.#names, timeoutMs + NETWORK_MS);
    let isBroken = false;
    try {
      if (begin !== undefined) session.begin(begin);
      const result = await session.drive(work());
      if (begin !== undefined) await session.query({ text: 'commit' });
      return result;
    } catch (error) {
      isBroken = !(await session.rollBack());
      throw error;
    } finally {
      client.release(isBroken);
    }
  }
}

function poll(intervalMs: number, onHint: (resources: undefined) => void): () => void {
  const timer = setInterval(() => onHint(undefined), intervalMs).unref();
  return () => clearInterval(timer);
}
