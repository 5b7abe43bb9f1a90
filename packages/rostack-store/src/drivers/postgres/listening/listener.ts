import { randomUUID } from 'node:crypto';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type * as Postgres from 'pg';
import type { Client, ClientConfig } from 'pg';
import { quoteName } from '../../dialect/sql.ts';
import { guardedClientOf } from '../session/guarded-client.ts';
import type { PreferredTls } from '../session/preferred-tls.ts';
import { attachmentOfNote } from './channel.ts';

/** The callbacks of one part of a process. */
export interface Hearer {
  /** Called with resources that other processes may have written; undefined means any. */
  readonly onHint?: (resources: readonly string[] | undefined) => void;
  /** Called with the number of an attachment whose leader sleeps and has work. */
  readonly onNote?: (attachment: number) => void;
}

export interface ListenerOptions {
  /** How often the callback is called regardless of hints. */
  readonly pollIntervalMs: number;
  /** Whether the operator states that the connection leads to the server itself. */
  readonly isDirect: boolean;
  /** Notifies the channel, over the connections on which hints are sent. */
  readonly notify: (payload: string) => Promise<void>;
  /** Whether this process itself sent the notifications of a server session, and so knows of them already. */
  readonly isOwn: (processId: number) => boolean;
  /** Called when hints stop coming; the listener keeps retrying. Called again only after hints have come for a minute. */
  readonly onFailure: (error: unknown) => void;
}

const MIN_RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 10_000;
/** How long a notification of our own may take. */
const ECHO_MS = 1_000;
/** Delay before retrying a connection that works, but receives no notifications. */
const DEAF_RETRY_MS = 60_000;
/** A failure after hints have come for this long is reported again. */
const HELD_MS = 60_000;
/** A role may have a time limit for idle sessions, and this session is idle by nature. Servers before version 14 have no such setting. */
const STAY = `select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout'`;

/** The connection works, but receives no notifications. */
class DeafConnectionError extends Error {
  override readonly name = 'DeafConnectionError';
}

/** One connection that listens for hints, and a timer in case none come. */
export class PostgresListener {
  readonly #Client: ReturnType<typeof guardedClientOf>;
  readonly #connection: ClientConfig;
  readonly #tls: PreferredTls;
  readonly #channel: string;
  readonly #options: ListenerOptions;
  readonly #hearer: Required<Hearer>;
  readonly #pollTimer: NodeJS.Timeout;
  #client: Client | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #reconnectMs = MIN_RECONNECT_MS;
  /** The kind of failure reported last. */
  #lastFailure: 'deaf' | 'lost' | undefined;
  #heardSinceMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(
    driver: typeof Postgres,
    connection: ClientConfig,
    tls: PreferredTls,
    channel: string,
    options: ListenerOptions,
    hearer: Required<Hearer>,
  ) {
    this.#Client = guardedClientOf(driver);
    this.#connection = connection;
    this.#tls = tls;
    this.#channel = channel;
    this.#options = options;
    this.#hearer = hearer;
    this.#pollTimer = setInterval(() => {
      hearer.onHint(undefined);
    }, options.pollIntervalMs).unref();
    this.#open();
  }

  /** Whether notifications arrive: one of our own has, and the connection has not failed since. */
  get isHeard(): boolean {
    return this.#heardSinceMs !== Number.POSITIVE_INFINITY;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pollTimer);
    clearTimeout(this.#reconnectTimer);
    this.#drop();
  }

  #open(): void {
    const client = new this.#Client({ ...this.#connection, ...this.#tls.config });
    this.#client = client;
    client.on('error', (error) => {
      this.#fail(client, error);
    });
    client.on('end', () => {
      this.#fail(client, new Error('the connection ended'));
    });
    this.#listen(client).catch((error: unknown) => {
      this.#fail(client, error);
    });
  }

  async #listen(client: Client): Promise<void> {
    await client.connect();
    await client.query(STAY);
    if (!this.#options.isDirect) await checkDirect(client);
    const echo = `?${randomUUID()}`;
    const heard = new AbortController();
    client.on('notification', ({ payload = '', processId }) => {
      const attachment = attachmentOfNote(payload);
      if (payload === echo) heard.abort();
      else if (attachment !== undefined) this.#hearer.onNote(attachment);
      // No resource has the name of an echo, of whichever process.
      else if (!payload.startsWith('?') && !this.#options.isOwn(processId))
        this.#hearer.onHint(payload === '' ? undefined : payload.split(','));
    });
    await client.query(`listen ${quoteName(this.#channel)}`);
    // Covers what was written while nobody listened.
    this.#hearer.onHint(undefined);
    await this.#options.notify(echo);
    await delay(ECHO_MS, undefined, { signal: heard.signal, ref: false }).catch(() => {});
    // If this process was blocked for that long, the echo may have arrived without having been read.
    if (!heard.signal.aborted) await turn();
    if (!heard.signal.aborted) {
      throw new DeafConnectionError(
        'LISTEN was accepted, but no notification came: the connection does not lead to the server and database that the store writes to, or a pooler is in between',
      );
    }
    this.#reconnectMs = MIN_RECONNECT_MS;
    this.#heardSinceMs = performance.now();
  }

  #fail(client: Client, error: unknown): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#drop();
    if (this.#tls.givesUp(error)) {
      this.#open();
      return;
    }
    const isDeaf = error instanceof DeafConnectionError;
    const hasHeld = performance.now() - this.#heardSinceMs > HELD_MS;
    this.#heardSinceMs = Number.POSITIVE_INFINITY;
    // The same failure before hints have come for a while is not reported again.
    const kind = isDeaf ? 'deaf' : 'lost';
    if (hasHeld || this.#lastFailure !== kind) this.#options.onFailure(error);
    this.#lastFailure = kind;
    this.#reconnectTimer = setTimeout(
      () => {
        this.#open();
      },
      isDeaf ? DEAF_RETRY_MS : this.#reconnectMs,
    ).unref();
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, MAX_RECONNECT_MS);
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => {});
  }
}

/** A pooler invents the process id that it reports to a client, and would leave LISTEN behind in a session that other clients get next. */
async function checkDirect(client: Client & { readonly processID?: number | null }): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  if (rows[0]?.pid === client.processID) return;
  throw new DeafConnectionError(
    'the store URL leads to a connection pooler, through which no notification comes: pass a direct URL to listen on',
  );
}
