import { aString, expecting, listOf, type OptionCheck, optional, optionsOf } from 'rostack-core';
import { type Authenticator, anAuthenticator } from '../../auth/authenticator.ts';

/** Lists that a cache in front of the server may return to all clients that see the same. */
export interface SharingOptions {
  /** Names of the resources. */
  readonly resources: readonly string[];
  /**
   * Path, as clients would write it, at which the cache asks on behalf of a client which lists it may see: 204 with `X-Rostack-Audience`,
   * which is equal for clients with the same lists, or the problem with the credentials.
   */
  readonly audiencePath: string;
  /**
   * Accept credentials at `audiencePath`. The cache stores the answer, so they should not cache it too.
   * @default those of the server
   */
  readonly authenticators?: readonly Authenticator[];
}

export const sharingOptions: OptionCheck = optionsOf<SharingOptions>({
  resources: listOf(aString),
  audiencePath: expecting(
    'a path such as "/audience"',
    (value) => typeof value === 'string' && /^\/[^?#]+$/.test(value),
  ),
  authenticators: optional(listOf(anAuthenticator)),
});
