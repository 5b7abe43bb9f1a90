import type { ClientMessage } from 'rostack-core';
import { sessionDueMs, stepSession } from '../../src/connection/session/session.ts';
import {
  type SessionEffect,
  type SessionInput,
  type SessionRules,
  type SessionState,
  type SubscriptionDefinition,
  startSession,
} from '../../src/connection/session/session-state.ts';
import type { ClientError } from '../../src/http/error/errors.ts';

export const RULES: SessionRules = {
  apiVersion: '1',
  release: '2026-08-13',
  heartbeatIntervalMs: 30_000,
  heartbeatTimeoutMs: 10_000,
  answerTimeoutMs: 5_000,
  maxFrameLength: 10_000,
  canRenew: true,
};

export const DEFINITION: SubscriptionDefinition = {
  resource: 'stations',
  eventTypes: new Set(['station.created', 'station.deleted']),
  namesEventTypes: false,
  filter: undefined,
  encoding: 'json',
};

export const WALL_MS = Date.UTC(2026, 7, 14);

/** A session with its clock; keeps what the newest step gave. */
export class SessionDriver {
  readonly rules: SessionRules;
  state: SessionState;
  nowMs = 0;
  messages: readonly ClientMessage[] = [];
  effects: readonly SessionEffect[] = [];

  constructor(rules: Partial<SessionRules> = {}) {
    this.rules = { ...RULES, ...rules };
    this.state = startSession(this.at);
  }

  get at(): { readonly monotonicMs: number; readonly wallMs: number } {
    return { monotonicMs: this.nowMs, wallMs: WALL_MS + this.nowMs };
  }

  get dueMs(): number {
    return sessionDueMs(this.rules, this.state);
  }

  /** Kinds of the effects; for a close its code and the code of its error. */
  get outcome(): readonly (string | number)[] {
    return this.effects.flatMap((effect) =>
      effect.kind === 'close' ? [effect.code, effect.error.code] : [effect.kind],
    );
  }

  step(input: SessionInput): this {
    const { state, messages, effects } = stepSession(this.rules, this.state, input);
    this.state = state;
    this.messages = messages;
    this.effects = effects;
    return this;
  }

  receive(message: object | string): this {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    return this.step({ kind: 'message', text, at: this.at });
  }

  tick(nowMs: number): this {
    this.nowMs = nowMs;
    return this.step({ kind: 'tick', at: this.at });
  }

  opened(): this {
    return this.step({ kind: 'opened', at: this.at });
  }

  /** Answers the effect `ask`. */
  gives(token: string): this {
    return this.step({ kind: 'credential', credential: { method: 'shared_token', token }, at: this.at });
  }

  lacks(error: ClientError): this {
    return this.step({ kind: 'no_credential', error, at: this.at });
  }

  authenticated(members: object = {}): this {
    return this.receive({
      type: 'authenticated',
      method: 'shared_token',
      protocol_version: 'rostack_v1',
      api_version: '1',
      principal_id: 'p',
      ...members,
    });
  }

  subscribe(subscriptionId: string, cursor?: string, definition: Partial<SubscriptionDefinition> = {}): this {
    return this.step({
      kind: 'subscribe',
      subscriptionId,
      definition: { ...DEFINITION, ...definition },
      cursor,
      at: this.at,
    });
  }

  unsubscribe(subscriptionId: string): this {
    return this.step({ kind: 'unsubscribe', subscriptionId, at: this.at });
  }

  subscribed(subscriptionId: string, replaying: boolean, members: object = {}): this {
    return this.receive({
      type: 'subscribed',
      subscription_id: subscriptionId,
      event_encoding: 'json',
      replaying,
      ...members,
    });
  }

  event(subscriptionId: string, number: number, members: object = {}): this {
    return this.receive({
      type: 'event',
      subscription_id: subscriptionId,
      event_id: `e${number}`,
      cursor: `c${number}`,
      occurred_at: '2026-08-14T00:00:00Z',
      event_type: 'station.created',
      resource_id: 'a',
      resource_version: String(number),
      ...members,
    });
  }
}

/** A session that is authenticated. */
export const openSession = (rules: Partial<SessionRules> = {}, members: object = {}): SessionDriver =>
  new SessionDriver(rules).opened().gives('t').authenticated(members);
