import type { ConnectionSlot } from 'rostack-server';
import type { ConnectionKind } from '../peers/messages.ts';

type Counts = Map<string, number>;

/** Counts the connections of all workers of a machine, and what each worker holds, so that it can be released when one dies. */
export class ConnectionCounters<Holder extends object> {
  readonly #counts: Counts = new Map();
  readonly #held = new Map<Holder, Counts>();

  /** Takes all claimed places, or none. @returns the index of the first claim for which no place is left */
  take(holder: Holder, kind: ConnectionKind, claims: readonly ConnectionSlot[]): number | undefined {
    const full = claims.findIndex((claim) => (this.#counts.get(nameOf(kind, claim)) ?? 0) >= claim.max);
    if (full !== -1) return full;
    let held = this.#held.get(holder);
    if (held === undefined) {
      held = new Map();
      this.#held.set(holder, held);
    }
    for (const claim of claims) {
      add(this.#counts, nameOf(kind, claim), 1);
      add(held, nameOf(kind, claim), 1);
    }
    return undefined;
  }

  /** How many connections of a kind a process holds. */
  heldBy(holder: Holder, kind: ConnectionKind): number {
    return this.#held.get(holder)?.get(nameOf(kind, { scope: 'all', key: '' })) ?? 0;
  }

  giveBack(holder: Holder, kind: ConnectionKind, claims: readonly ConnectionSlot[]): void {
    const held = this.#held.get(holder);
    if (held === undefined) return;
    for (const claim of claims) {
      add(this.#counts, nameOf(kind, claim), -1);
      add(held, nameOf(kind, claim), -1);
    }
  }

  /** Releases everything held by a process that has ended. */
  forget(holder: Holder): void {
    for (const [name, count] of this.#held.get(holder) ?? []) add(this.#counts, name, -count);
    this.#held.delete(holder);
  }
}

const nameOf = (kind: ConnectionKind, { scope, key }: Pick<ConnectionSlot, 'scope' | 'key'>): string =>
  `${kind} ${scope} ${key}`;

function add(counts: Counts, name: string, difference: number): void {
  const count = (counts.get(name) ?? 0) + difference;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}
