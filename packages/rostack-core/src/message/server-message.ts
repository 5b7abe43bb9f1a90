import { z } from 'zod';
import { annotate } from '../model/constraints.ts';
import { dateTime, httpsUrl, milliseconds, nonEmpty, wholeNumber, wssUrl } from '../model/text.ts';
import { PROTOCOL_VERSION } from '../release/release.ts';
import {
  errorMessageModel20260812,
  errorMessageModel20260813,
} from '../websocket-error/error-message-model.ts';
import type { ErrorMessage } from '../websocket-error/websocket-errors.ts';
import {
  authenticationMethodModel,
  clientModels20260812,
  clientModels20260813,
  eventEncodingModel,
  pingModel,
  pongModel,
} from './client-message.ts';

/** 8 to 10 positions; data without a URL needs `null` at position eight, counted from zero. */
const compactEventModel = annotate(
  z.tuple([
    z.literal('e'),
    nonEmpty, // subscription_id
    nonEmpty, // event_id
    nonEmpty, // cursor
    wholeNumber(0), // occurred_at in milliseconds since 1970-01-01T00:00:00Z
    nonEmpty, // event_type
    nonEmpty, // resource_id
    nonEmpty, // resource_version
    httpsUrl.nullable().optional(), // detail_url
    z.unknown().optional(), // data
  ]),
  { id: 'compact-event' },
);

const authenticatedModel = annotate(
  z.strictObject({
    type: z.literal('authenticated'),
    method: authenticationMethodModel,
    protocol_version: z.literal(PROTOCOL_VERSION),
    api_version: nonEmpty,
    principal_id: nonEmpty,
    reauthenticate_at: dateTime.optional(),
  }),
  { id: 'authenticated' },
);

const subscribedModel = annotate(
  z.strictObject({
    type: z.literal('subscribed'),
    subscription_id: nonEmpty,
    event_encoding: eventEncodingModel,
    replaying: z.boolean(),
  }),
  { id: 'subscribed' },
);

const replayCompleteModel = annotate(
  z.strictObject({ type: z.literal('replay_complete'), subscription_id: nonEmpty }),
  { id: 'replay_complete' },
);

const eventModel = annotate(
  z.strictObject({
    type: z.literal('event'),
    subscription_id: nonEmpty,
    event_id: nonEmpty,
    cursor: nonEmpty,
    occurred_at: dateTime,
    event_type: nonEmpty,
    resource_id: nonEmpty,
    resource_version: nonEmpty,
    detail_url: httpsUrl.optional(),
    data: z.unknown().optional(),
  }),
  { id: 'event' },
);

const goAwayModel = annotate(
  z.strictObject({
    type: z.literal('go_away'),
    reason: nonEmpty,
    reconnect_after_ms: milliseconds(0),
    drain_timeout_ms: milliseconds(0),
    gateway_url: wssUrl.optional(),
  }),
  { id: 'go_away' },
);

const plainModels = [
  authenticatedModel,
  subscribedModel,
  replayCompleteModel,
  eventModel,
  goAwayModel,
  pingModel,
  pongModel,
] as const;

/** What a server sends, except compact events, release 2026-08-13. */
const serverModels20260813 = [...plainModels, errorMessageModel20260813] as const;

/** What a server sends, except compact events, release 2026-08-12. */
const serverModels20260812 = [...plainModels, errorMessageModel20260812] as const;

/** Messages from a server, release 2026-08-13; compact events included. */
export const serverMessageModel20260813 = z.union([
  z.discriminatedUnion('type', [...serverModels20260813]),
  compactEventModel,
]) as unknown as z.ZodType<ServerMessage | CompactEvent>;

/** Messages from a server, release 2026-08-12; compact events included. */
export const serverMessageModel20260812 = z.union([
  z.discriminatedUnion('type', [...serverModels20260812]),
  compactEventModel,
]);

/** An event as a tuple (protocol section 7, compact event). */
export type CompactEvent = z.infer<typeof compactEventModel>;

/** What a server of release 2026-08-12 may send: its errors have any code. */
export type ServerMessage20260812 = z.infer<typeof serverMessageModel20260812>;

/** Any message object that a server may send (protocol section 7). */
export type ServerMessage = z.infer<(typeof plainModels)[number]> | ErrorMessage;

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

/** Every frame of either side, release 2026-08-13. */
export const websocketMessageModel20260813 = z.union([
  z.discriminatedUnion('type', [...clientModels20260813, ...serverModels20260813]),
  compactEventModel,
]);

/** Every frame of either side, release 2026-08-12. */
export const websocketMessageModel20260812 = z.union([
  z.discriminatedUnion('type', [...clientModels20260812, ...serverModels20260812]),
  compactEventModel,
]);
