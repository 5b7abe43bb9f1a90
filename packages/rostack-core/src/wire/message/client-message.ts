import type { JsonObject } from '../../text/json.ts';
import {
  literal,
  type Model,
  nonEmpty,
  object,
  optional,
  string,
  tagged,
  uniqueArray,
  type ValueOf,
} from '../model/model.ts';
import type { Release } from '../release/release.ts';
import { authenticationMethodModel, eventEncodingModel, sharedModels } from './shared-models.ts';

/** The place of a filter in other models, by release; `parseFilter` decides what is a filter. */
export const FILTER_PLACES: Readonly<Record<Release, Model<JsonObject>>> = {
  '2026-08-12': { kind: 'any' },
  '2026-08-13': { kind: 'any' },
};

const authenticate = object({
  type: literal('authenticate'),
  method: authenticationMethodModel,
  token: nonEmpty,
});

const subscribeModel = <E extends string>(filter: Model<JsonObject>, encoding: Model<E>) =>
  object({
    type: literal('subscribe'),
    subscription_id: nonEmpty,
    resource: nonEmpty,
    event_types: optional(
      uniqueArray(string, { emptyFault: 'must name at least one event type, or be left out' }),
    ),
    filter: optional(filter),
    cursor: optional(nonEmpty),
    event_encoding: optional(encoding, 'json' as E),
  });

const unsubscribe = object({ type: literal('unsubscribe'), subscription_id: nonEmpty });

/** What only a client sends, by type. */
export const clientModels = (release: Release) => ({
  authenticate,
  subscribe: subscribeModel(FILTER_PLACES[release], eventEncodingModel),
  unsubscribe,
});

/** A message from a client as a server reads it. An unknown encoding passes here, because it is the subscription that refuses it. */
export const receivedModel = tagged('type', {
  authenticate,
  subscribe: subscribeModel(FILTER_PLACES['2026-08-13'], string),
  unsubscribe,
  ...sharedModels,
});

/** A message from a client as a server reads it: its `event_encoding` is any text. */
export type ReceivedMessage = ValueOf<typeof receivedModel>;

/** A `subscribe` as a server reads it, which may refuse its encoding with `unsupported_encoding`. */
export type ReceivedSubscribe = Extract<ReceivedMessage, { type: 'subscribe' }>;

/** Any message that a client may send (protocol section 7). */
export type ClientMessage = ValueOf<
  | ReturnType<typeof clientModels>[keyof ReturnType<typeof clientModels>]
  | (typeof sharedModels)[keyof typeof sharedModels]
>;

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
