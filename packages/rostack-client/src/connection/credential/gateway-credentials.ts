import type { Credential } from './credential.ts';
import { CredentialRefusals, type CredentialRefusalsOptions } from './credential-refusals.ts';
import type { CredentialSource } from './credential-source.ts';

/** The credentials for the connections of one link: never one that the gateway has just refused. */
export class GatewayCredentials {
  readonly #source: CredentialSource;
  readonly #refusals: CredentialRefusals;
  #refused: Credential | undefined;

  constructor(options: CredentialRefusalsOptions) {
    this.#source = options.source;
    this.#refusals = new CredentialRefusals(options);
  }

  get canRenew(): boolean {
    return this.#source.canRenew;
  }

  /** The first credential of a connection, or the one after the current one. @throws CredentialsError, UsageError */
  async next(present: Credential | undefined): Promise<Credential> {
    if (present !== undefined) return this.#source.renew(present, 'expiring');
    const refused = this.#refused;
    if (refused === undefined) return this.#source.current();
    const renewed = await this.#source.renew(refused, 'refused');
    this.#refused = undefined;
    return renewed;
  }

  noteAccepted(): void {
    this.#refusals.noteAccepted();
  }

  /** @param credential what was sent last @returns whether another one may still be accepted */
  noteRefused(credential: Credential | undefined): boolean {
    this.#refused = credential;
    return this.#refusals.noteRefused();
  }
}
