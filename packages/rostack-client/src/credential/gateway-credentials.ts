import type { ClientClock } from '../platform/clock.ts';
import type { Credential } from './credential.ts';
import type { CredentialSource } from './credential-source.ts';

export interface GatewayCredentialsOptions {
  readonly source: CredentialSource;
  readonly clock: ClientClock;
  /** How long credentials may be refused in a row, see `ClientLimits`. */
  readonly maxRefusalMs: number;
}

/** Refusals in a row, each of a renewed credential, before trying again may be pointless. */
const MAX_REFUSALS = 3;

/** What the connections of one link prove themselves with: never a credential that the gateway has just refused. */
export class GatewayCredentials {
  readonly #options: GatewayCredentialsOptions;
  #refused: Credential | undefined;
  #refusals = 0;
  #refusedSinceMs = 0;

  constructor(options: GatewayCredentialsOptions) {
    this.#options = options;
  }

  get canRenew(): boolean {
    return this.#options.source.canRenew;
  }

  /** The first credential of a connection, or the one after the present one. @throws CredentialsError, UsageError */
  async next(present: Credential | undefined): Promise<Credential> {
    const { source } = this.#options;
    if (present !== undefined) return source.renew(present, 'expiring');
    const refused = this.#refused;
    if (refused === undefined) return source.current();
    const renewed = await source.renew(refused, 'refused');
    this.#refused = undefined;
    return renewed;
  }

  noteAccepted(): void {
    this.#refusals = 0;
  }

  /** @param credential what was sent last @returns whether another one may still be accepted */
  noteRefused(credential: Credential | undefined): boolean {
    const { source, clock, maxRefusalMs } = this.#options;
    const nowMs = clock.monotonicMs();
    if (this.#refusals === 0) this.#refusedSinceMs = nowMs;
    this.#refused = credential;
    this.#refusals += 1;
    const isConclusive = this.#refusals >= MAX_REFUSALS && nowMs - this.#refusedSinceMs >= maxRefusalMs;
    return source.canRenew && !isConclusive;
  }
}
