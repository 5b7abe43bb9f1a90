import type { ClientError } from '../../http/error/errors.ts';

/** What happens to one gateway connection; see `ConnectionStatus`. */
export type LinkStatus =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly principalId: string }
  | { readonly kind: 'leaving'; readonly reason: string; readonly reconnectAfterMs: number }
  | { readonly kind: 'waiting'; readonly error: unknown; readonly retryInMs: number }
  | { readonly kind: 'complaint'; readonly error: ClientError };

/**
 * What a client reports about a gateway connection. `link` counts the connections that the client keeps side by side, from 1.
 * - `connecting`: a socket is being opened.
 * - `connected`: authenticated.
 * - `leaving`: the server drains; another connection takes over before this one is left.
 * - `waiting`: the connection is lost; another attempt follows in `retryInMs`.
 * - `complaint`: something went wrong that ended nothing.
 * - `idle`: there are no subscriptions, so there is no connection.
 */
export type ConnectionStatus = { readonly link: number } & LinkStatus;
