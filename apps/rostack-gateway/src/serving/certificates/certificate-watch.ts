const DAY_MS = 86_400_000;
const WARN_BEFORE_DAYS = 14;
const LOOK_INTERVAL_MS = 3_600_000;

export interface CertificateWatchOptions {
  /** When the certificate in use expires, in milliseconds since 1970; undefined if there is none. */
  readonly expiresAtMs: () => number | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** How to renew it. */
  readonly renewal: string;
  /** Called with a message for operators. */
  readonly onExpiring: (message: string) => void;
}

/** Reports that a certificate expires, from 14 days before, at most once a day. */
export class CertificateWatch implements Disposable {
  readonly #options: CertificateWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #toldMs: number | undefined;

  constructor(options: CertificateWatchOptions) {
    this.#options = options;
    this.#check();
    this.#timer = setInterval(() => this.#check(), LOOK_INTERVAL_MS).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const { expiresAtMs, nowMs, renewal, onExpiring } = this.#options;
    const now = nowMs();
    const end = expiresAtMs();
    const isTold = this.#toldMs !== undefined && now - this.#toldMs < DAY_MS;
    if (end === undefined || isTold || !expiresSoon(end, now)) return;
    this.#toldMs = now;
    onExpiring(`the certificate of the data listener ${describeExpiry(end, now)}: ${renewal}`);
  }
}

/** Whether it expires within 14 days, or has expired; both in milliseconds since 1970. */
export function expiresSoon(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs - nowMs <= WARN_BEFORE_DAYS * DAY_MS;
}

/** Says when a certificate expires or has expired; both in milliseconds since 1970. */
export function describeExpiry(expiresAtMs: number, nowMs: number): string {
  const at = new Date(expiresAtMs).toISOString();
  if (expiresAtMs <= nowMs) return `has expired at ${at}`;
  const days = Math.ceil((expiresAtMs - nowMs) / DAY_MS);
  return `expires in less than ${days} ${days === 1 ? 'day' : 'days'}, at ${at}`;
}
