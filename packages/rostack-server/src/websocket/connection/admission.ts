/** Counts what shares a key, up to a limit. */
class KeyedCounter {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  claim(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#limit) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  release(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

export interface AdmissionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxConnectionsPerPrincipal: number;
}

export type AdmissionRefusal = 'too many connections' | 'too many connections from this address';

/** Decides how many connections there may be: in all, per address and per principal. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #addresses: KeyedCounter;
  readonly #principals: KeyedCounter;
  #connections = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#addresses = new KeyedCounter(limits.maxConnectionsPerAddress);
    this.#principals = new KeyedCounter(limits.maxConnectionsPerPrincipal);
  }

  /** Takes a place for a connection, or says why there is none. */
  admit(address: string): AdmissionRefusal | undefined {
    if (this.#connections >= this.#limits.maxConnections) return 'too many connections';
    if (!this.#addresses.claim(address)) return 'too many connections from this address';
    this.#connections += 1;
    return undefined;
  }

  /** Gives the place back. */
  dismiss(address: string): void {
    this.#connections -= 1;
    this.#addresses.release(address);
  }

  /** Takes one of a principal's places; false when it has none left. */
  claimPrincipal(principalId: string): boolean {
    return this.#principals.claim(principalId);
  }

  releasePrincipal(principalId: string): void {
    this.#principals.release(principalId);
  }
}
