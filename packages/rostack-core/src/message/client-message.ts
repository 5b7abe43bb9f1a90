import { z } from 'zod';
import { type FilterModel, filterModel20260812, filterModel20260813 } from '../filter/filter-model.ts';
import { annotate, notEmpty, uniqueArray } from '../model/constraints.ts';
import { nonEmpty } from '../model/text.ts';

/** How a principal authenticates (protocol section 4). */
export const AUTHENTICATION_METHODS = ['oauth2', 'shared_token'] as const;

/** `oauth2` or `shared_token`. */
export type AuthenticationMethod = (typeof AUTHENTICATION_METHODS)[number];

/** How events are written into frames (protocol section 7); every gateway has `json`. */
export const EVENT_ENCODINGS = ['json', 'compact-json'] as const;

/** `json` or `compact-json`. */
export type EventEncoding = (typeof EVENT_ENCODINGS)[number];

export const authenticationMethodModel = z.enum(AUTHENTICATION_METHODS);
export const eventEncodingModel = z.enum(EVENT_ENCODINGS);

const authenticateModel = annotate(
  z.strictObject({ type: z.literal('authenticate'), method: authenticationMethodModel, token: nonEmpty }),
  { id: 'authenticate' },
);

const subscribeModel = <E extends z.ZodType<string>>(filter: FilterModel, encoding: E) =>
  annotate(
    z.strictObject({
      type: z.literal('subscribe'),
      subscription_id: nonEmpty,
      resource: nonEmpty,
      event_types: uniqueArray(z.string())
        .check(notEmpty('must name at least one event type, or be left out'))
        .optional(),
      filter: filter.optional(),
      cursor: nonEmpty.optional(),
      event_encoding: annotate(encoding.optional(), { default: 'json' }),
    }),
    { id: 'subscribe' },
  );

const unsubscribeModel = annotate(
  z.strictObject({ type: z.literal('unsubscribe'), subscription_id: nonEmpty }),
  { id: 'unsubscribe' },
);

export const pingModel = annotate(z.strictObject({ type: z.literal('ping'), id: nonEmpty }), { id: 'ping' });
export const pongModel = annotate(z.strictObject({ type: z.literal('pong'), id: nonEmpty }), { id: 'pong' });

// Ping and pong are left out: both sides send them.
const clientModels = (filter: FilterModel) =>
  [authenticateModel, subscribeModel(filter, eventEncodingModel), unsubscribeModel] as const;

/** What only a client sends, release 2026-08-13. */
export const clientModels20260813 = clientModels(filterModel20260813);

/** What only a client sends, release 2026-08-12. */
export const clientModels20260812 = clientModels(filterModel20260812);

/** Messages from a client, release 2026-08-13. */
export const clientMessageModel20260813 = z.discriminatedUnion('type', [
  ...clientModels20260813,
  pingModel,
  pongModel,
]);

/** Messages from a client, release 2026-08-12. */
export const clientMessageModel20260812 = z.discriminatedUnion('type', [
  ...clientModels20260812,
  pingModel,
  pongModel,
]);

const receivedModel = (filter: FilterModel) =>
  z.discriminatedUnion('type', [
    authenticateModel,
    subscribeModel(filter, z.string()),
    unsubscribeModel,
    pingModel,
    pongModel,
  ]);

/** Messages from a client as a server reads them: an encoding that it does not know is for the subscription to refuse. */
export const receivedModels = {
  '2026-08-12': receivedModel(filterModel20260812),
  '2026-08-13': receivedModel(filterModel20260813),
} as const;

/** A message from a client as a server reads it: its `event_encoding` is any text. */
export type ReceivedMessage = z.infer<(typeof receivedModels)['2026-08-13']>;

/** A `subscribe` as a server reads it, which may refuse its encoding with `unsupported_encoding`. */
export type ReceivedSubscribe = Extract<ReceivedMessage, { type: 'subscribe' }>;

/** Any message that a client may send (protocol section 7). */
export type ClientMessage = z.infer<typeof clientMessageModel20260813>;

/** Proves who the client is; the first message, and again before the credential expires. */
export type AuthenticateMessage = Extract<ClientMessage, { type: 'authenticate' }>;
/** Asks for the events of one resource, from a cursor or from now on. */
export type SubscribeMessage = Extract<ClientMessage, { type: 'subscribe' }>;
/** Ends a subscription. */
export type UnsubscribeMessage = Extract<ClientMessage, { type: 'unsubscribe' }>;
/** Checks that the other side, which has been silent, is still there. */
export type PingMessage = Extract<ClientMessage, { type: 'ping' }>;
/** Answers the ping of the same id. */
export type PongMessage = Extract<ClientMessage, { type: 'pong' }>;
