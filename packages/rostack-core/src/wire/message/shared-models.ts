import { literal, nonEmpty, object } from '../model/model.ts';

/** How a principal authenticates (protocol section 4). */
export const AUTHENTICATION_METHODS = ['oauth2', 'shared_token'] as const;

/** `oauth2` or `shared_token`. */
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

/** How events are written into frames (protocol section 7); every gateway has `json`. */
export const EVENT_ENCODINGS = ['json', 'compact-json'] as const;

/** `json` or `compact-json`. */
export type EventEncoding = (typeof EVENT_ENCODINGS)[number];

export const authenticationMethodModel = literal(...AUTHENTICATION_METHODS);
export const eventEncodingModel = literal(...EVENT_ENCODINGS);

/** Both sides send them. */
export const sharedModels = {
  ping: object({ type: literal('ping'), id: nonEmpty }),
  pong: object({ type: literal('pong'), id: nonEmpty }),
};
