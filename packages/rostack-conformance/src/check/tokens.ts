import type { AuthenticationMethod } from 'rostack-core';
import { KitError } from '../error/kit-error.ts';

/** The tokens that a run may use. */
export class Tokens {
  /** The method that all of them are for. */
  readonly method: AuthenticationMethod;
  /** Of another principal, with the same permissions. */
  readonly second?: string | undefined;
  /** Of a principal that may read nothing, or not everything. */
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

  /** All that are given, to be taken out of reports. */
  get secrets(): readonly string[] {
    return [this.#main, this.second, this.poor].filter((token) => token !== undefined);
  }
}
