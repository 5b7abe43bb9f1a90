import type { Awaitable } from '../../auth/authenticator.ts';
import type {
  ConnectionScope,
  ConnectionSlot,
  SharedConnectionLimits,
} from '../options/shared-connection-limits.ts';
import type { WebSocketLimits } from '../options/websocket-limits.ts';

type AdmissionLimits = Pick<
  WebSocketLimits,
  'maxConnections' | 'maxConnectionsPerAddress' | 'maxConnectionsPerPrincipal'
>;

export type AdmissionRefusal = 'too many connections' | 'too many connections from this address';

/** Counts places as `SharedConnectionLimits` does, but may know the answer at once. */
interface ConnectionCounter extends Pick<SharedConnectionLimits, 'release'> {
  acquire(claims: readonly ConnectionSlot[]): Awaitable<number | undefined>;
}

/**
 * Decides how many connections there may be: in total, per address and per principal. It answers at once unless the counter is shared; a
 * shared counter that fails has no place left.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #counter: ConnectionCounter;

  /** @param shared counts for several gateways; without it, this one counts alone */
  constructor(limits: AdmissionLimits, shared?: SharedConnectionLimits) {
    this.#limits = limits;
    this.#counter = shared ?? new OwnConnectionCounter();
  }

  /** Takes a place for a connection, or says why there is none. */
  admit(address: string): Awaitable<AdmissionRefusal | undefined> {
    return this.#acquire(this.#connection(address), (full) => {
      if (full === undefined) return undefined;
      return full === 0 ? 'too many connections' : 'too many connections from this address';
    });
  }

  /** Gives the place back. */
  dismiss(address: string): void {
    this.#counter.release(this.#connection(address));
  }

  /** Takes one of a principal's places; false if none is left. */
  claimPrincipal(principalId: string): Awaitable<boolean> {
    return this.#acquire(this.#principal(principalId), (full) => full === undefined);
  }

  releasePrincipal(principalId: string): void {
    this.#counter.release(this.#principal(principalId));
  }

  #acquire<T>(claims: readonly ConnectionSlot[], decide: (full: number | undefined) => T): Awaitable<T> {
    const full = this.#counter.acquire(claims);
    if (full === undefined || typeof full === 'number') return decide(full);
    return Promise.resolve(full).then(decide, () => decide(0));
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

/** Counts in the memory of this process. */
class OwnConnectionCounter implements ConnectionCounter {
  readonly #counts: Readonly<Record<ConnectionScope, Map<string, number>>> = {
    all: new Map(),
    address: new Map(),
    principal: new Map(),
  };

  acquire(claims: readonly ConnectionSlot[]): number | undefined {
    const full = claims.findIndex(({ scope, key, max }) => (this.#counts[scope].get(key) ?? 0) >= max);
    if (full !== -1) return full;
    for (const claim of claims) this.#add(claim, 1);
    return undefined;
  }

  release(claims: readonly ConnectionSlot[]): void {
    for (const claim of claims) this.#add(claim, -1);
  }

  #add({ scope, key }: ConnectionSlot, difference: number): void {
    const counts = this.#counts[scope];
    const count = (counts.get(key) ?? 0) + difference;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }
}
