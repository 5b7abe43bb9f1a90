import type * as Postgres from 'pg';
import type { ClientConfig, CustomTypesConfig, Pool, PoolClient } from 'pg';
import { SourceUnavailableError } from 'rostack-core';
import { StoreOptionsError, StoreReadOnlyError, StoreUnavailableError } from '../../errors/index.ts';
import {
  type Database,
  type InboxWatch,
  type LongRead,
  type PoolStatus,
  SharedTurn,
  type Work,
} from '../database.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Query, Row } from '../dialect/query.ts';
import type { Once } from '../dialect/sql.ts';
import { LongReads } from '../long-reads.ts';
import { PostgresAppConnections } from './app-connections.ts';
import { postgresDialect } from './dialect/dialect.ts';
import { originOf } from './dialect/origin.ts';
import { channelOf, hasChannel } from './listening/channel.ts';
import { type Hearer, PostgresListener } from './listening/listener.ts';
import { SharedListener } from './listening/shared-listener.ts';
import { guardedClientOf } from './session/guarded-client.ts';
import { PreferredTls } from './session/preferred-tls.ts';
import { PostgresSession } from './session/session.ts';
import { withSystemUser } from './session/system-user.ts';
import { PostgresAsks } from './statement/asks.ts';
import { type CopyInClass, copyInClassOf } from './statement/copy-in.ts';
import { isMixedUp, isRepeatable, isUnavailable, QueryFailure, reasonOf } from './statement/failure.ts';
import { queryClassOf } from './statement/query.ts';
import { StatementNames } from './statement/statement-names.ts';

export interface PostgresOptions {
  /** Whether it is a standby, or is used as one. */
  readonly isReadOnly: boolean;
  readonly schema: string;
  /** Where to listen for hints when the URL leads to a pooler. */
  readonly directUrl: string | undefined;
  readonly maxConnections: number;
  /** Most long reads at a time, each on a connection of the pool; one connection is left for other queries. */
  readonly maxLongReads: number;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** How often to check for writes of other processes while someone watches. */
  readonly pollIntervalMs: number;
  /** Whether hints are sent with NOTIFY and received with LISTEN; polling does not depend on it. */
  readonly notifies: boolean;
  /** Called when hints stop coming; polling continues. */
  readonly onWatchFailure: (error: unknown) => void;
}

/** Attempts at a transaction that keeps losing to others. */
const MAX_ATTEMPTS = 5;
/** The server ends a transaction that holds locks while this process hangs, after 5 s. */
const BOUNDED_PAUSE = 'idle_in_transaction_session_timeout = 5000';
/** A long read must not use further processors of the server: short reads need them. */
const ONE_PROCESS = 'max_parallel_workers_per_gather = 0';
/** Time that connecting and the network may add to the server's own time limit. */
const NETWORK_MS = 1_000;
/** Payload of a hint; PostgreSQL refuses 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_000;

/** How to run a transaction. Its settings are local: behind a pooler, the next transaction runs in another session. */
interface Transaction {
  readonly begin: string;
  readonly timeoutMs: number;
}

type Driver = typeof Postgres;

/** Every bigint here is a safe integer: a position, a count or a time. */
function typesOf({ types }: Driver): CustomTypesConfig {
  const getTypeParser = ((...request: Parameters<typeof types.getTypeParser>) =>
    request[0] === types.builtins.INT8
      ? Number
      : types.getTypeParser(...request)) as typeof types.getTypeParser;
  return { getTypeParser };
}

/** A PostgreSQL database: reads use snapshots; writes use read committed, and are serialized by their row locks. */
export class PostgresDatabase implements Database {
  readonly dialect: Dialect;
  readonly appConnections: PostgresAppConnections;
  readonly #driver: Driver;
  readonly #connection: ClientConfig;
  readonly #tls: PreferredTls;
  readonly #options: PostgresOptions;
  readonly #channel: string;
  readonly statements = undefined;
  readonly fault = undefined;
  readonly #pool: Pool;
  readonly longStepMs = 50;
  readonly #longReads: LongReads;
  readonly #names = new StatementNames();
  readonly #CopyIn: CopyInClass;
  readonly #asks: PostgresAsks;
  readonly #turn = new SharedTurn();
  readonly #listener = new SharedListener((hearer) => this.#listen(hearer));
  readonly #hinted = new Set<string>();
  /** Backend process ids of the pool's sessions. */
  readonly #processIds = new Set<number>();
  #isHinting = false;

  constructor(driver: Driver, url: string, options: PostgresOptions) {
    this.#driver = driver;
    this.dialect = postgresDialect(options.schema);
    this.appConnections = new PostgresAppConnections(this.dialect);
    this.#options = options;
    this.#channel = channelOf(options.schema);
    const types = typesOf(driver);
    this.#tls = new PreferredTls(withSystemUser(url));
    this.#connection = {
      connectionTimeoutMillis: options.readTimeoutMs + NETWORK_MS,
      keepAlive: true,
      application_name: 'rostack-store',
      types,
    };
    this.#pool = new driver.Pool({
      ...this.#connection,
      ...this.#tls.config,
      pipeline: true,
      max: options.maxConnections - 1,
      Client: guardedClientOf(driver),
    });
    this.#CopyIn = copyInClassOf(driver);
    this.#asks = new PostgresAsks({
      connect: () => this.#connect(),
      maxConnections: this.#pool.options.max,
      Query: queryClassOf(driver, types),
      names: this.#names,
      timeoutMs: options.readTimeoutMs,
      graceMs: NETWORK_MS,
    });
    this.#longReads = new LongReads(Math.max(1, Math.min(options.maxLongReads, this.#pool.options.max - 1)));
    // The pool drops an idle connection that breaks; the next query opens another.
    this.#pool.on('error', () => {});
    // The pool also drops a connection that breaks while in use; between two queries nothing else handles its error.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
    this.#pool.on('connect', (client) => this.#processIds.add(processIdOf(client)));
    this.#pool.on('remove', (client) => this.#processIds.delete(processIdOf(client)));
  }

  get pool(): PoolStatus {
    const { totalCount: total, idleCount: idle, waitingCount: waiting, options } = this.#pool;
    return { total, idle, waiting, max: options.max };
  }

  transaction<T>(work: () => Work<T>): Promise<T> {
    return this.#readWith([BOUNDED_PAUSE], work);
  }

  backgroundRead<T>(read: LongRead, work: () => Work<T>): Promise<T> {
    return this.#longReads.run(read, () => this.#readWith([BOUNDED_PAUSE, ONE_PROCESS], work));
  }

  #readWith<T>(settings: readonly string[], work: () => Work<T>): Promise<T> {
    const how = transaction('repeatable read read only', this.#options.readTimeoutMs, settings);
    return this.#read(() => this.#attempt(how, (session) => session.drive(work())));
  }

  async query<T extends object = Row>(query: Once): Promise<readonly T[]> {
    const rows = await this.#read(() => this.#asks.ask(query));
    // Answers that arrive together are processed together.
    await this.#turn.next();
    return rows as readonly T[];
  }

  async queryWith(
    queries: readonly Once[],
    settings: readonly string[],
  ): Promise<readonly (readonly Row[])[]> {
    const how = transaction('read committed read only', this.#options.writeTimeoutMs, [
      BOUNDED_PAUSE,
      ...settings,
    ]);
    return this.#read(() => this.#attempt(how, (session) => session.runAll(queries)));
  }

  async #read<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await this.#repeat(attempt);
    } catch (error) {
      if (!(error instanceof QueryFailure)) throw error;
      throw isUnavailable(error)
        ? new SourceUnavailableError(reasonOf(error), { cause: error.cause })
        : error.cause;
    }
  }

  write<T>(work: () => Work<T>): Promise<T> {
    return this.#write((session) => session.drive(work()));
  }

  writeOne<T extends object = Row>(query: Query): Promise<readonly T[]> {
    return this.#write(async (session) => (await session.runAll([query]))[0] as readonly T[]);
  }

  async #write<T>(drive: (session: PostgresSession) => Promise<T>): Promise<T> {
    if (this.#options.isReadOnly) throw new StoreReadOnlyError();
    try {
      const how = transaction('read committed', this.#options.writeTimeoutMs, [BOUNDED_PAUSE]);
      return await this.#repeat(() => this.#attempt(how, drive));
    } catch (error) {
      if (!(error instanceof QueryFailure)) throw error;
      throw isUnavailable(error)
        ? new StoreUnavailableError(reasonOf(error), { cause: error.cause })
        : error.cause;
    }
  }

  watch(onHint: (resources: readonly string[] | undefined) => void): () => void {
    const { pollIntervalMs, notifies } = this.#options;
    return notifies ? this.#listener.add({ onHint }) : poll(pollIntervalMs, onHint);
  }

  watchInboxes(onNote: (attachment: number) => void): InboxWatch {
    const { notifies, schema } = this.#options;
    if (!notifies || !hasChannel(schema)) return { isHeard: false, stop: () => {} };
    const listener = this.#listener;
    return {
      get isHeard() {
        return listener.isHeard;
      },
      stop: listener.add({ onNote }),
    };
  }

  #listen(hearer: Required<Hearer>): PostgresListener {
    const { directUrl, pollIntervalMs, readTimeoutMs, onWatchFailure: onFailure } = this.#options;
    const connection = { ...this.#connection, query_timeout: readTimeoutMs + NETWORK_MS };
    return new PostgresListener(
      this.#driver,
      connection,
      directUrl === undefined ? this.#tls : new PreferredTls(withSystemUser(directUrl)),
      this.#channel,
      {
        pollIntervalMs,
        isDirect: directUrl !== undefined,
        notify: (payload) => this.#notify(payload),
        // A pooler invents the process ids of its client connections.
        isOwn: (processId) => directUrl === undefined && this.#processIds.has(processId),
        onFailure,
      },
      hearer,
    );
  }

  /** Sent after the commit and one at a time: NOTIFY inside the transaction would hold a lock of the whole server. */
  hint(resources: readonly string[]): void {
    if (!this.#options.notifies) return;
    for (const resource of resources) this.#hinted.add(resource);
    if (!this.#isHinting) void this.#sendHints();
  }

  origin(): Promise<string | undefined> {
    return originOf(this);
  }

  backUp(): Promise<never> {
    return Promise.reject(
      new StoreOptionsError('backUp copies SQLite databases: use pg_dump for PostgreSQL'),
    );
  }

  async close(): Promise<void> {
    this.#longReads.close();
    await this.#pool.end();
  }

  async #sendHints(): Promise<void> {
    this.#isHinting = true;
    while (this.#hinted.size > 0) {
      const names = [...this.#hinted].join(',');
      this.#hinted.clear();
      const payload = names.length > MAX_PAYLOAD_BYTES ? '' : names;
      // Polling makes up for a lost hint.
      await this.#notify(payload).catch(() => {});
    }
    this.#isHinting = false;
  }

  async #notify(payload: string): Promise<void> {
    const query = {
      kind: 'once',
      sql: 'select pg_notify($1, $2)',
      parameters: [this.#channel, payload],
    } as const;
    const one = transaction('read committed', this.#options.readTimeoutMs, []);
    await this.#repeat(() => this.#attempt(one, (session) => session.runAll([query])));
  }

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (count === MAX_ATTEMPTS || !(error instanceof QueryFailure)) throw error;
        if (isMixedUp(error)) this.#names.giveUp();
        else if (!isRepeatable(error)) throw error;
      }
    }
  }

  async #attempt<T>(
    { begin, timeoutMs }: Transaction,
    drive: (session: PostgresSession) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect();
    const session = new PostgresSession(client, this.#CopyIn, this.#names, timeoutMs + NETWORK_MS);
    let isBroken = false;
    try {
      session.begin(begin);
      return await drive(session);
    } catch (error) {
      isBroken = !(await session.rollBack());
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (cause) {
      if (!this.#tls.givesUp(cause)) throw new QueryFailure(cause);
      delete this.#pool.options.ssl;
      return this.#connect();
    }
  }
}

/** The session's backend process id; the driver's types do not declare it. */
function processIdOf(client: PoolClient & { readonly processID?: number | null }): number {
  return client.processID ?? 0;
}

function transaction(mode: string, timeoutMs: number, settings: readonly string[]): Transaction {
  const all = [`statement_timeout = ${Math.ceil(timeoutMs)}`, ...settings];
  const begin = [`begin isolation level ${mode}`, ...all.map((setting) => `set local ${setting}`)].join('; ');
  return { begin, timeoutMs };
}

function poll(intervalMs: number, onHint: (resources: undefined) => void): () => void {
  const timer = setInterval(() => onHint(undefined), intervalMs).unref();
  return () => clearInterval(timer);
}
