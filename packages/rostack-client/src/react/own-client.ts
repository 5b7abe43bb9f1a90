import type { RostackClient } from '../client/client.ts';
import { persist } from '../connection/retry/persist.ts';

/** How long a client without a provider is kept, in milliseconds: longer than its follows. */
const LINGER_MS = 2_000;

/** The client that a provider connects by itself: when something is followed or the provider is mounted, until it is unmounted. */
export class OwnClient {
  readonly #connect: () => Promise<RostackClient>;
  readonly #listeners = new Set<() => void>();
  #client: RostackClient | undefined;
  #failure: { readonly error: unknown } | undefined;
  #life: AbortController | undefined;
  #ending: ReturnType<typeof setTimeout> | undefined;

  constructor(connect: () => Promise<RostackClient>) {
    this.#connect = connect;
  }

  /** Undefined until it is connected. The same until it is another one. */
  readonly current = (): RostackClient | undefined => this.#client;

  /** Why there will be no client; undefined: there is one, or will be. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Calls back when there is a client, and when it is known that there will be none. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Connects, unless it does already; attempts that fail for a while are repeated. */
  begin(): void {
    clearTimeout(this.#ending);
    if (this.#life !== undefined && this.#failure === undefined) return;
    const life = new AbortController();
    this.#life = life;
    this.#failure = undefined;
    persist(this.#connect, life.signal).then(
      (client) => {
        if (life.signal.aborted) {
          void client.close();
          return;
        }
        life.signal.addEventListener('abort', () => void client.close(), { once: true });
        this.#client = client;
        this.#tell();
      },
      (error: unknown) => {
        if (life.signal.aborted) return;
        this.#failure = { error };
        this.#tell();
      },
    );
  }

  /** Closes the client in a while, unless it is used again. */
  end(): void {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => {
      this.#life?.abort();
      this.#life = undefined;
      this.#client = undefined;
    }, LINGER_MS);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const clients = new WeakMap<() => Promise<unknown>, OwnClient>();

/** The client of a function that connects, the same for the same function: React throws away what a provider made that was never shown. */
export function ownClient(connect: () => Promise<RostackClient>): OwnClient {
  const own = clients.get(connect) ?? new OwnClient(connect);
  clients.set(connect, own);
  return own;
}
