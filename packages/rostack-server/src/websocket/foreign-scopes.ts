import { LRUCache } from 'lru-cache';
import type { Clock } from './options/clock.ts';
import { Throttle } from './options/throttle.ts';

/** This many cursors of another scope in a row are suspicious. */
const SUSPICIOUS = 3;
/** Cursors that arrive at the same time, as on a reconnection, count once. */
const APART_MS = 1_000;
const WINDOW_MS = 600_000;
const ALARM_PAUSE_MS = 60_000;
const MAX_SCOPES = 10_000;

interface Mismatches {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Notices that the HTTP part signs its cursors with a different key. A client whose cursor has another scope takes a new snapshot and comes
 * back with a fresh cursor: if that one and the next one have another scope again, the keys differ.
 */
export class ForeignScopes {
  readonly #clock: Clock;
  readonly #onSuspicion: () => void;
  readonly #byScope = new LRUCache<string, Mismatches>({ max: MAX_SCOPES });
  readonly #alarms = new Throttle(ALARM_PAUSE_MS);

  /** @param onSuspicion called at most once a minute */
  constructor(clock: Clock, onSuspicion: () => void) {
    this.#clock = clock;
    this.#onSuspicion = onSuspicion;
  }

  /** Reports a cursor that did not belong to the scope in which it was used. */
  mismatched(scopeTag: string): void {
    const nowMs = this.#clock.monotonicMs();
    const known = this.#byScope.get(scopeTag);
    const before = known !== undefined && nowMs - known.atMs < WINDOW_MS ? known : undefined;
    if (before !== undefined && nowMs - before.atMs < APART_MS) return;
    const count = (before?.count ?? 0) + 1;
    this.#byScope.set(scopeTag, { count, atMs: nowMs });
    if (count >= SUSPICIOUS && this.#alarms.permits(nowMs)) this.#onSuspicion();
  }

  /** Reports a cursor that belonged to its scope, so the keys are the same. */
  matched(scopeTag: string): void {
    this.#byScope.delete(scopeTag);
  }
}
