import {
  anInteger,
  any,
  boolean,
  literal,
  type Model,
  milliseconds,
  nonEmpty,
  nullable,
  object,
  optional,
  tagged,
  tuple,
  typed,
  type ValueOf,
} from '../model/model.ts';
import { dateTime, httpsUrl, wssUrl } from '../model/text.ts';
import { PROTOCOL_VERSION } from '../release/release.ts';
import {
  errorMessageModel20260812,
  errorMessageModel20260813,
} from '../websocket-error/error-message-model.ts';
import type { ErrorMessage } from '../websocket-error/websocket-errors.ts';
import { authenticationMethodModel, eventEncodingModel, sharedModels } from './shared-models.ts';

/** 8 to 10 positions; data without a URL needs `null` at position eight, counted from zero. */
export const compactEventModel = tuple(
  [
    literal('e'),
    nonEmpty, // subscription_id
    nonEmpty, // event_id
    nonEmpty, // cursor
    anInteger(0), // occurred_at in milliseconds since 1970-01-01T00:00:00Z
    nonEmpty, // event_type
    nonEmpty, // resource_id
    nonEmpty, // resource_version
  ],
  [
    optional(nullable(httpsUrl)), // detail_url
    optional(any), // data
  ],
);

const authenticated = object({
  type: literal('authenticated'),
  method: authenticationMethodModel,
  protocol_version: literal(PROTOCOL_VERSION),
  api_version: nonEmpty,
  principal_id: nonEmpty,
  reauthenticate_at: optional(dateTime),
});

const subscribed = object({
  type: literal('subscribed'),
  subscription_id: nonEmpty,
  event_encoding: eventEncodingModel,
  replaying: boolean,
});

const replayComplete = object({ type: literal('replay_complete'), subscription_id: nonEmpty });

const event = object({
  type: literal('event'),
  subscription_id: nonEmpty,
  event_id: nonEmpty,
  cursor: nonEmpty,
  occurred_at: dateTime,
  event_type: nonEmpty,
  resource_id: nonEmpty,
  resource_version: nonEmpty,
  detail_url: optional(httpsUrl),
  data: optional(any),
});

const goAway = object({
  type: literal('go_away'),
  reason: nonEmpty,
  reconnect_after_ms: milliseconds(0),
  drain_timeout_ms: milliseconds(0),
  gateway_url: optional(wssUrl),
});

const plainModels = {
  authenticated,
  subscribed,
  replay_complete: replayComplete,
  event,
  go_away: goAway,
  ...sharedModels,
};

/** What a server sends, except compact events, by type, release 2026-08-13. */
export const serverModels20260813 = { ...plainModels, error: errorMessageModel20260813 };

/** What a server sends, except compact events, by type, release 2026-08-12. */
export const serverModels20260812 = { ...plainModels, error: errorMessageModel20260812 };

/** Messages from a server, release 2026-08-13; compact events included. */
export const serverMessageModel20260813 = typed({
  object: tagged('type', serverModels20260813),
  array: compactEventModel,
}) as Model as Model<ServerMessage | CompactEvent>;

/** Messages from a server, release 2026-08-12; compact events included. */
export const serverMessageModel20260812 = typed({
  object: tagged('type', serverModels20260812),
  array: compactEventModel,
});

/** An event as a tuple (protocol section 7, compact event). */
export type CompactEvent = ValueOf<typeof compactEventModel>;

/** What a server of release 2026-08-12 may send: its errors have any code. */
export type ServerMessage20260812 = ValueOf<typeof serverMessageModel20260812>;

/** Any message object that a server may send (protocol section 7). */
export type ServerMessage = ValueOf<(typeof plainModels)[keyof typeof plainModels]> | ErrorMessage;

/** The credential is valid, until `reauthenticate_at` if that is given. */
export type AuthenticatedMessage = Extract<ServerMessage, { type: 'authenticated' }>;
/** The subscription is active; with `replaying`, the events since its cursor come first. */
export type SubscribedMessage = Extract<ServerMessage, { type: 'subscribed' }>;
/** All events since the cursor have been sent; the next ones are live. */
export type ReplayCompleteMessage = Extract<ServerMessage, { type: 'replay_complete' }>;
/** One event of a subscription. */
export type EventMessage = Extract<ServerMessage, { type: 'event' }>;
/** The gateway is about to close: connect again, to `gateway_url` if given. */
export type GoAwayMessage = Extract<ServerMessage, { type: 'go_away' }>;
