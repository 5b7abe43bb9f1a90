import type { WebSocketLimits } from '../../src/websocket/options/websocket-limits.ts';
import { sessionDueMs, stepSession } from '../../src/websocket/session/session.ts';
import type { SessionInput, VerificationResult } from '../../src/websocket/session/session-input.ts';
import {
  createSession,
  type SessionState,
  type SessionStep,
} from '../../src/websocket/session/session-state.ts';
import { credentialOf, instant, sessionRules } from './session-fixture.ts';

/** Drives one session and keeps what the last input gave. */
export class Driver {
  readonly rules;
  state: SessionState;
  last: SessionStep;
  nowMs = 0;

  constructor(limits: Partial<WebSocketLimits> = {}) {
    this.rules = sessionRules(limits);
    this.state = createSession(this.rules, instant(0));
    this.last = { state: this.state, messages: [], effects: [] };
  }

  step(input: SessionInput): this {
    this.last = stepSession(this.rules, this.state, input);
    this.state = this.last.state;
    return this;
  }

  receive(message: object | string): this {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    return this.step({ kind: 'message', text, at: instant(this.nowMs) });
  }

  tick(nowMs: number, deliveredAtMs = 0, progressAtMs = 0): this {
    this.nowMs = nowMs;
    return this.step({ kind: 'tick', at: instant(nowMs), deliveredAtMs, progressAtMs });
  }

  authenticated(credential = credentialOf()): this {
    return this.authenticating({ kind: 'authenticated', credential });
  }

  authenticating(result: VerificationResult): this {
    return this.receive({ type: 'authenticate', method: 'shared_token', token: 't' }).step({
      kind: 'verified',
      attempt: this.state.attempts,
      result,
      at: instant(this.nowMs),
    });
  }

  subscribed(subscriptionId: string, members: object = {}): this {
    this.receive({ type: 'subscribe', subscription_id: subscriptionId, resource: 'stations', ...members });
    return this.opened(subscriptionId);
  }

  opened(subscriptionId: string): this {
    const ticket = this.state.subscriptions.get(subscriptionId)?.ticket ?? -1;
    return this.step({
      kind: 'opened',
      subscriptionId,
      ticket,
      opening: { kind: 'placed' },
      at: instant(this.nowMs),
    });
  }

  /** Monotonic time from which a tick may do something. */
  get dueMs(): number {
    return sessionDueMs(this.rules, this.state);
  }

  /** Codes of the errors sent, then the code of the close. */
  get outcome(): readonly (string | number)[] {
    return [
      ...this.last.messages.map((message) => (message.type === 'error' ? message.code : message.type)),
      ...this.last.effects.flatMap((effect) => (effect.kind === 'close' ? [effect.code] : [])),
    ];
  }
}
