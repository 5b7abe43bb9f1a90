import type { ClientClock } from '../platform/clock.ts';
import type { CredentialSource } from './credential-source.ts';

export interface CredentialRefusalsOptions {
  readonly source: CredentialSource;
  readonly clock: ClientClock;
  /** How long credentials may be refused in a row, see `ClientLimits`. */
  readonly maxRefusalMs: number;
}

/** Refusals in a row, each of a renewed credential, before trying again may be pointless. */
const MAX_REFUSALS = 3;

/** Counts the refusals in a row. Credentials that can be renewed may be accepted the next time. */
export class CredentialRefusals {
  readonly #options: CredentialRefusalsOptions;
  #count = 0;
  #sinceMs = 0;

  constructor(options: CredentialRefusalsOptions) {
    this.#options = options;
  }

  noteAccepted(): void {
    this.#count = 0;
  }

  /** @returns whether another credential may still be accepted */
  noteRefused(): boolean {
    const { source, clock, maxRefusalMs } = this.#options;
    const nowMs = clock.monotonicMs();
    if (this.#count === 0) this.#sinceMs = nowMs;
    this.#count += 1;
    const isConclusive = this.#count >= MAX_REFUSALS && nowMs - this.#sinceMs >= maxRefusalMs;
    return source.canRenew && !isConclusive;
  }
}
