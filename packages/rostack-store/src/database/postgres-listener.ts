import { Client, type ClientConfig, escapeIdentifier } from 'pg';

export interface ListenerOptions {
  /** How often the callback is called whatever the hints say. */
  readonly pollIntervalMs: number;
  /** Called when the connection was lost; it is opened again. */
  readonly onFailure: (error: unknown) => void;
}

const MIN_RECONNECT_MS = 250;
const MAX_RECONNECT_MS = 10_000;

/** One connection that listens for hints, and a timer that does without them. */
export class PostgresListener {
  readonly #connection: ClientConfig;
  readonly #channel: string;
  readonly #options: ListenerOptions;
  readonly #onHint: (resources: readonly string[] | undefined) => void;
  readonly #pollTimer: NodeJS.Timeout;
  #client: Client | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #reconnectMs = MIN_RECONNECT_MS;
  #isClosed = false;

  constructor(
    connection: ClientConfig,
    channel: string,
    options: ListenerOptions,
    onHint: (resources: readonly string[] | undefined) => void,
  ) {
    this.#connection = connection;
    this.#channel = channel;
    this.#options = options;
    this.#onHint = onHint;
    this.#pollTimer = setInterval(() => {
      onHint(undefined);
    }, options.pollIntervalMs).unref();
    this.#open();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#pollTimer);
    clearTimeout(this.#reconnectTimer);
    this.#drop();
  }

  #open(): void {
    const client = new Client(this.#connection);
    this.#client = client;
    client.on('notification', ({ payload = '' }) => {
      this.#onHint(payload === '' ? undefined : payload.split(','));
    });
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
    await client.query(`listen ${escapeIdentifier(this.#channel)}`);
    this.#reconnectMs = MIN_RECONNECT_MS;
    // What was written while nobody listened.
    this.#onHint(undefined);
  }

  #fail(client: Client, error: unknown): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#drop();
    this.#options.onFailure(error);
    this.#reconnectTimer = setTimeout(() => {
      this.#open();
    }, this.#reconnectMs).unref();
    this.#reconnectMs = Math.min(this.#reconnectMs * 2, MAX_RECONNECT_MS);
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => {});
  }
}
