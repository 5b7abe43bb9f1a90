/** Modes of libpq that encrypt if the server can, and check no certificate. */
const PREFERRING: readonly unknown[] = ['prefer', 'allow'];
const NO_TLS = 'The server does not support SSL connections';

/**
 * How to connect by a URL whose `sslmode` may be `prefer` or `allow`. The driver treats these as `verify-full`, and fails if the server has
 * no TLS.
 */
export class PreferredTls {
  readonly #url: string;
  readonly #isPreferred: boolean;
  #isTried: boolean;

  /** @param url a PostgreSQL URL */
  constructor(url: string) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    this.#isPreferred = PREFERRING.includes(parsed?.searchParams.get('sslmode'));
    this.#isTried = this.#isPreferred;
    if (this.#isPreferred) parsed?.searchParams.delete('sslmode');
    this.#url = this.#isPreferred ? (parsed?.href ?? url) : url;
  }

  /** The configuration for the next connection. */
  get config(): {
    readonly connectionString: string;
    readonly ssl?: { readonly rejectUnauthorized: boolean };
  } {
    return {
      connectionString: this.#url,
      ...(this.#isTried && { ssl: { rejectUnauthorized: false } }),
    };
  }

  /** Whether a connection failed because the server has no TLS; the next one will be without. */
  givesUp(error: unknown): boolean {
    if (!this.#isPreferred || !(error instanceof Error) || error.message !== NO_TLS) return false;
    this.#isTried = false;
    return true;
  }
}
