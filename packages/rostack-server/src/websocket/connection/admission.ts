import type { Awaitable } from '../../auth/authenticator.ts';
import type { ConnectionSlot, SharedConnectionLimits } from '../options/shared-connection-limits.ts';

/** Counts things that share a key, up to a limit. */
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

/** Decides how many connections there may be: in total, per address and per principal. */
export interface Admission {
  /** Takes a place for a connection, or says why there is none. */
  admit(address: string): Awaitable<AdmissionRefusal | undefined>;
  /** Gives the place back. */
  dismiss(address: string): void;
  /** Takes one of a principal's places; false if none is left. */
  claimPrincipal(principalId: string): Awaitable<boolean>;
  releasePrincipal(principalId: string): void;
}

/** Counts the connections of this gateway alone. */
export class OwnAdmission implements Admission {
  readonly #limits: AdmissionLimits;
  readonly #addresses: KeyedCounter;
  readonly #principals: KeyedCounter;
  #connections = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
    this.#addresses = new KeyedCounter(limits.maxConnectionsPerAddress);
    this.#principals = new KeyedCounter(limits.maxConnectionsPerPrincipal);
  }

  admit(address: string): AdmissionRefusal | undefined {
    if (this.#connections >= this.#limits.maxConnections) return 'too many connections';
    if (!this.#addresses.claim(address)) return 'too many connections from this address';
    this.#connections += 1;
    return undefined;
  }

  dismiss(address: string): void {
    this.#connections -= 1;
    this.#addresses.release(address);
  }

  claimPrincipal(principalId: string): boolean {
    return this.#principals.claim(principalId);
  }

  releasePrincipal(principalId: string): void {
    this.#principals.release(principalId);
  }
}

/** Counts the connections of several gateways together. */
export class SharedAdmission implements Admission {
  readonly #limits: AdmissionLimits;
  readonly #places: SharedConnectionLimits;

  constructor(limits: AdmissionLimits, places: SharedConnectionLimits) {
    this.#limits = limits;
    this.#places = places;
  }

  async admit(address: string): Promise<AdmissionRefusal | undefined> {
    const refused = await this.#take(this.#connection(address));
    if (refused === undefined) return undefined;
    return refused === 0 ? 'too many connections' : 'too many connections from this address';
  }

  dismiss(address: string): void {
    this.#places.release(this.#connection(address));
  }

  async claimPrincipal(principalId: string): Promise<boolean> {
    return (await this.#take(this.#principal(principalId))) === undefined;
  }

  releasePrincipal(principalId: string): void {
    this.#places.release(this.#principal(principalId));
  }

  #take(claims: readonly ConnectionSlot[]): Promise<number | undefined> {
    return this.#places.acquire(claims).catch(() => 0);
  }

  #connection(address: string): readonly ConnectionSlot[] {
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    return [
      { scope: 'all', key: '', max: maxConnections },
      { scope: 'address', key: address, max: maxConnectionsPerAddress },
    ];
  }

  #principal(principalId: string): readonly ConnectionSlot[] {
    return [{ scope: 'principal', key: principalId, max: this.#limits.maxConnectionsPerPrincipal }];
  }
}
