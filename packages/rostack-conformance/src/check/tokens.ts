import type { AuthenticationMethod } from 'rostack-core';
import { KitError } from '../base/kit-error.ts';

/** The tokens that a run may use. */
export class Tokens {
  /** The authentication method of all of these tokens. */
  readonly method: AuthenticationMethod;
  /** Token of another principal with the same permissions. */
  readonly second?: string | undefined;
  /** Token of a principal that may read nothing, or not everything. */
  readonly poor?: string | undefined;
  readonly #main: string | undefined;

  constructor(
    method: AuthenticationMethod,
    tokens: {
      readonly main?: string | undefined;
      readonly second?: string | undefined;
      readonly poor?: string | undefined;
    },
  ) {
    this.method = method;
    this.#main = tokens.main;
    this.second = tokens.second;
    this.poor = tokens.poor;
  }

  get hasMain(): boolean {
    return this.#main !== undefined;
  }

  /** The token that may read and follow. @throws KitError `no_token`: a check that reads it needs `token` */
  get main(): string {
    if (this.#main === undefined)
      throw new KitError('no_token', 'the check uses a token and does not need one');
    return this.#main;
  }

  /** All given tokens, to be removed from reports. */
  get secrets(): readonly string[] {
    return [this.#main, this.second, this.poor].filter((token) => token !== undefined);
  }
}
