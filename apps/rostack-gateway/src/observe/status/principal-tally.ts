import type { ServedHooks } from 'rostack-server';
import { type ActivePrincipal, mostActive } from '../../cluster/peers/dials.ts';

/** Counts cover the requests of the last one to two windows. */
export const WINDOW_MS = 300_000;
/** With more principals, a new one replaces the one with the fewest requests and inherits its count, so that no frequent one is missed. */
const KEPT_PRINCIPALS = 1_000;

interface Asked {
  readonly requests: number;
  readonly credentialId: string | undefined;
}

/** Counts requests and WebSockets by principal, in bounded memory. */
export class PrincipalTally {
  readonly #nowMs: () => number;
  readonly #kept: number;
  #windows: readonly [now: Map<string, Asked>, before: Map<string, Asked>] = [new Map(), new Map()];
  #startedMs: number;
  /** By connection. */
  readonly #connected = new Map<number, string>();

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number, kept = KEPT_PRINCIPALS) {
    this.#nowMs = nowMs;
    this.#kept = kept;
    this.#startedMs = nowMs();
  }

  get hooks(): ServedHooks {
    return {
      onRequest: ({ principalId, credentialId }) => {
        if (principalId !== undefined) this.#count(principalId, credentialId);
      },
      onAuthenticated: ({ id }, principalId) => void this.#connected.set(id, principalId),
      onClosed: ({ id }) => void this.#connected.delete(id),
    };
  }

  /** The most active principals first. */
  top(): readonly ActivePrincipal[] {
    const [now, before] = this.#turn();
    const connections = new Map<string, number>();
    for (const principalId of this.#connected.values())
      connections.set(principalId, (connections.get(principalId) ?? 0) + 1);
    const ids = new Set([...now.keys(), ...before.keys(), ...connections.keys()]);
    return mostActive(
      Array.from(ids, (principalId) => ({
        principalId,
        credentialId: now.get(principalId)?.credentialId ?? before.get(principalId)?.credentialId,
        requests: (now.get(principalId)?.requests ?? 0) + (before.get(principalId)?.requests ?? 0),
        connections: connections.get(principalId) ?? 0,
      })),
    );
  }

  #count(principalId: string, credentialId: string | undefined): void {
    const [now] = this.#turn();
    const found = now.get(principalId);
    const given = found === undefined && now.size >= this.#kept ? takeLeast(now) : (found?.requests ?? 0);
    now.set(principalId, { requests: given + 1, credentialId: credentialId ?? found?.credentialId });
  }

  #turn(): readonly [Map<string, Asked>, Map<string, Asked>] {
    const windows = Math.floor((this.#nowMs() - this.#startedMs) / WINDOW_MS);
    if (windows > 0) {
      this.#startedMs += windows * WINDOW_MS;
      this.#windows = [new Map(), windows === 1 ? this.#windows[0] : new Map()];
    }
    return this.#windows;
  }
}

/** Removes the principal with the fewest requests, and returns their number. */
function takeLeast(asked: Map<string, Asked>): number {
  let least: readonly [string, number] = ['', Number.POSITIVE_INFINITY];
  for (const [id, { requests }] of asked) if (requests < least[1]) least = [id, requests];
  asked.delete(least[0]);
  return least[1];
}
