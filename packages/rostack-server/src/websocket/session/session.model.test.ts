import { deepStrictEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { CLOSE_CODES, parseServerMessage } from 'rostack-core';
import { expect, test } from 'vitest';
import {
  credentialOf,
  INTERVAL_MS,
  instant,
  PONG_MS,
  sessionRules,
  TIMEOUT_MS,
} from '../../../test/support/session-fixture.ts';
import { sessionDueMs, stepSession } from './session.ts';
import type { SessionInput, VerificationResult } from './session-input.ts';
import { createSession, type SessionState, type SessionStep } from './session-state.ts';

const MAX_INVALID = 3;
const RULES = sessionRules({
  maxInvalidMessages: MAX_INVALID,
  maxSubscriptions: 3,
  maxPermissionRefusals: 1_000,
  messageRate: { burst: 1_000, perSecond: 1_000 },
  subscribeRate: { burst: 1_000, perSecond: 1_000 },
});
const CLOSED_BY: ReadonlySet<number> = new Set(Object.values(CLOSE_CODES));

/** Definitions that differ, but two of which mean the same. */
const DEFINITIONS = [
  { resource: 'stations' },
  { resource: 'stations', event_types: ['station.updated', 'station.created', 'station.deleted'] },
  { resource: 'stations', filter: { '/city': { eq: 'Seoul' } } },
  { resource: 'stations', cursor: 'stations/p@3' },
  { resource: 'alerts', event_encoding: 'compact-json' },
] as const;
const meaningOf = (index: number): number => (index === 1 ? 0 : index);
const isReplay = (index: number): boolean => index === 3;
const needsPermission = (index: number): boolean => index !== 4;

interface Expected {
  definition: number;
  phase: 'opening' | 'replaying' | 'live';
  owed: number;
}

/** The expected state of a session, as simply as possible. */
class Model {
  nowMs = 0;
  isClosed = false;
  mayStations: boolean | undefined;
  isVerifying = false;
  awaited: string | undefined;
  invalid = 0;
  isDraining = false;
  readonly pings = new Set<string>();
  readonly subscriptions = new Map<string, Expected>();

  get isAuthenticated(): boolean {
    return this.mayStations !== undefined;
  }
}

class Real {
  state: SessionState = createSession(RULES, instant(0));

  step(model: Model, input: SessionInput): readonly string[] {
    const wasClosed = model.isClosed;
    const wasAuthenticated = model.isAuthenticated;
    const step = stepSession(RULES, this.state, input);
    this.state = step.state;
    this.#checkAlways(model, step, wasClosed, wasAuthenticated, input);
    return summarize(step);
  }

  #checkAlways(
    model: Model,
    { state, messages, effects }: SessionStep,
    wasClosed: boolean,
    wasAuthenticated: boolean,
    input: SessionInput,
  ): void {
    for (const message of messages) parseServerMessage(JSON.stringify(message));
    const closes = effects.filter((effect) => effect.kind === 'close');
    if (wasClosed) deepStrictEqual([messages, effects], [[], []]);
    ok(closes.length <= 1);
    for (const { code } of closes) deepStrictEqual(CLOSED_BY.has(code), true);
    if (closes.length > 0) deepStrictEqual(effects.at(-1)?.kind, 'close');
    if (closes.length > 0) model.isClosed = true;
    deepStrictEqual(state.phase, model.isClosed ? 'closed' : 'open');
    if (!wasAuthenticated && input.kind !== 'verified') {
      deepStrictEqual(
        messages.filter(({ type }) => type !== 'error' && type !== 'go_away'),
        [],
      );
    }
    for (const message of messages) {
      if (message.type !== 'ping') continue;
      deepStrictEqual(model.pings.has(message.id), false);
      model.pings.add(message.id);
    }
    ok(sessionDueMs(RULES, state) > (model.isClosed ? model.nowMs : 0));
  }

  checkSubscriptions(model: Model): void {
    const expected = model.isClosed ? new Map<string, Expected>() : model.subscriptions;
    deepStrictEqual(phasesOf(this.state.subscriptions), phasesOf(expected));
  }
}

function phasesOf(
  subscriptions: ReadonlyMap<string, { readonly phase: string }>,
): ReadonlyMap<string, string> {
  return new Map([...subscriptions].map(([id, { phase }]) => [id, phase]));
}

/** Summarizes a step: message types and error codes, effects, close codes. */
function summarize({ messages, effects }: SessionStep): readonly string[] {
  return [
    ...messages.map((message) => (message.type === 'error' ? message.code : message.type)),
    ...effects.map((effect) => (effect.kind === 'close' ? `close ${effect.code}` : effect.kind)),
  ];
}

type SessionCommand = fc.Command<Model, Real>;

function command(
  name: string,
  run: (model: Model, real: Real) => void,
  check: (model: Model) => boolean = () => true,
): SessionCommand {
  return {
    toString: () => name,
    check: (model) => check(model),
    run: (model, real) => {
      run(model, real);
      real.checkSubscriptions(model);
    },
  };
}

const message = (model: Model, content: object | string): SessionInput => ({
  kind: 'message',
  text: typeof content === 'string' ? content : JSON.stringify(content),
  at: instant(model.nowMs),
});

/** Before authentication every message but `authenticate` ends the session. */
function refusesBefore(model: Model, real: Real, content: object): boolean {
  if (model.isAuthenticated && !model.isClosed) return false;
  const outcome = real.step(model, message(model, content));
  if (outcome.length > 0) deepStrictEqual(outcome, ['close 4401']);
  return true;
}

const authenticate = command('authenticate', (model, real) => {
  const isOpen = !model.isClosed;
  const outcome = real.step(
    model,
    message(model, { type: 'authenticate', method: 'shared_token', token: 't' }),
  );
  deepStrictEqual(outcome, isOpen ? ['verify'] : []);
  if (isOpen) model.isVerifying = true;
});

const ERROR_OF = {
  refused: 'authentication_failed',
  rate_limited: 'rate_limited',
  unavailable: 'service_unavailable',
  too_many_connections: 'rate_limited',
} as const;

const verified = (
  name: string,
  given: VerificationResult,
  keepsIdentity: boolean,
  mayStations: boolean,
): SessionCommand =>
  command(
    `verified ${name}`,
    (model, real) => {
      const wasAuthenticated = model.isAuthenticated;
      const { attempts: attempt } = real.state;
      const outcome = real.step(model, {
        kind: 'verified',
        attempt,
        result: given,
        at: instant(model.nowMs),
      });
      model.isVerifying = false;
      if (given.kind !== 'authenticated') {
        deepStrictEqual(outcome[0], ERROR_OF[given.kind]);
        deepStrictEqual(outcome.length, wasAuthenticated ? 1 : 2);
      } else if (wasAuthenticated && !keepsIdentity) {
        deepStrictEqual(outcome, ['reauthentication_identity_mismatch']);
      } else {
        deepStrictEqual(outcome[0], 'authenticated');
        adopt(model, keepsIdentity && mayStations, outcome);
      }
    },
    (model) =>
      model.isVerifying &&
      !model.isClosed &&
      (keepsIdentity || model.isAuthenticated || given.kind !== 'authenticated'),
  );

function adopt(model: Model, mayStations: boolean, outcome: readonly string[]): void {
  model.mayStations = mayStations;
  const lost = mayStations
    ? []
    : [...model.subscriptions].filter(([, { definition }]) => needsPermission(definition));
  for (const [id] of lost) model.subscriptions.delete(id);
  deepStrictEqual(outcome.filter((each) => each === 'permission_revoked').length, lost.length);
  deepStrictEqual(outcome.filter((each) => each === 'stop').length, lost.length);
}

const subscribe = (id: string, definition: number): SessionCommand =>
  command(`subscribe ${id} ${definition}`, (model, real) => {
    const content = { type: 'subscribe', subscription_id: id, ...DEFINITIONS[definition] };
    if (refusesBefore(model, real, content)) return;
    const outcome = real.step(model, message(model, content));
    const present = model.subscriptions.get(id);
    if (present !== undefined) {
      if (meaningOf(present.definition) !== meaningOf(definition)) {
        deepStrictEqual(outcome, ['subscription_id_conflict']);
      } else if (present.phase === 'opening') {
        deepStrictEqual(outcome, []);
        present.owed += 1;
      } else {
        deepStrictEqual(outcome, ['subscribed']);
      }
    } else if (needsPermission(definition) && model.mayStations !== true) {
      deepStrictEqual(outcome, ['permission_denied']);
    } else if (model.subscriptions.size >= RULES.limits.maxSubscriptions) {
      deepStrictEqual(outcome, ['rate_limited']);
    } else {
      deepStrictEqual(outcome, ['open']);
      model.subscriptions.set(id, { definition, phase: 'opening', owed: 1 });
    }
  });

const unsubscribe = (id: string): SessionCommand =>
  command(`unsubscribe ${id}`, (model, real) => {
    const content = { type: 'unsubscribe', subscription_id: id };
    if (refusesBefore(model, real, content)) return;
    const outcome = real.step(model, message(model, content));
    deepStrictEqual(outcome, model.subscriptions.delete(id) ? ['stop'] : []);
  });

const opened = (id: string, isPlaced: boolean): SessionCommand =>
  command(`opened ${id} ${isPlaced}`, (model, real) => {
    const ticket = real.state.subscriptions.get(id)?.ticket ?? 0;
    const opening = { kind: isPlaced ? 'placed' : 'cursor_unavailable' } as const;
    const outcome = real.step(model, {
      kind: 'opened',
      subscriptionId: id,
      ticket,
      opening,
      at: instant(model.nowMs),
    });
    const present = model.isClosed ? undefined : model.subscriptions.get(id);
    if (present?.phase !== 'opening') {
      deepStrictEqual(outcome, []);
    } else if (isPlaced) {
      deepStrictEqual(
        outcome,
        Array.from({ length: present.owed }, () => 'subscribed'),
      );
      present.phase = isReplay(present.definition) ? 'replaying' : 'live';
    } else {
      deepStrictEqual(outcome, ['cursor_unavailable']);
      model.subscriptions.delete(id);
    }
  });

const caughtUp = (id: string): SessionCommand =>
  command(`caught-up ${id}`, (model, real) => {
    const ticket = real.state.subscriptions.get(id)?.ticket ?? 0;
    const at = instant(model.nowMs);
    const outcome = real.step(model, { kind: 'caught-up', subscriptionId: id, ticket, at });
    const present = model.isClosed ? undefined : model.subscriptions.get(id);
    const isDue = present?.phase === 'replaying';
    deepStrictEqual(outcome, isDue ? ['replay_complete'] : []);
    if (isDue) present.phase = 'live';
  });

const staleTicket = (id: string): SessionCommand =>
  command(`stale ${id}`, (model, real) => {
    const at = instant(model.nowMs);
    const stale = { subscriptionId: id, ticket: -1, at };
    deepStrictEqual(real.step(model, { kind: 'opened', opening: { kind: 'placed' }, ...stale }), []);
    deepStrictEqual(real.step(model, { kind: 'caught-up', ...stale }), []);
    deepStrictEqual(real.step(model, { kind: 'ended', reason: 'internal_error', ...stale }), []);
  });

const malformed = command('malformed', (model, real) => {
  const wasClosed = model.isClosed;
  const outcome = real.step(model, message(model, { type: 'nothing of ours' }));
  if (wasClosed) return;
  if (!model.isAuthenticated) {
    deepStrictEqual(outcome, ['close 4400']);
    return;
  }
  model.invalid += 1;
  deepStrictEqual(
    outcome,
    model.invalid > MAX_INVALID ? ['invalid_message', 'close 4400'] : ['invalid_message'],
  );
});

const pong = (isRight: boolean): SessionCommand =>
  command(`pong ${isRight}`, (model, real) => {
    const content = { type: 'pong', id: isRight ? (model.awaited ?? 'none') : 'wrong' };
    if (refusesBefore(model, real, content)) return;
    deepStrictEqual(real.step(model, message(model, content)), []);
    if (isRight) model.awaited = undefined;
  });

const pass = (ms: number): SessionCommand =>
  command(`pass ${ms}`, (model, real) => {
    model.nowMs += ms;
    const dueMs = sessionDueMs(RULES, real.state);
    const at = instant(model.nowMs);
    const outcome = real.step(model, { kind: 'tick', at, deliveredAtMs: 0, progressAtMs: 0 });
    if (model.nowMs < dueMs) deepStrictEqual(outcome, []);
    if (outcome.includes('ping')) model.awaited = real.state.heartbeat.awaited;
    if (outcome.includes('service_unavailable')) model.isVerifying = false;
  });

const drain = command('drain', (model, real) => {
  const isFirst = !model.isDraining && !model.isClosed;
  const draining = { reason: 'test', reconnectAfterMs: 0, drainTimeoutMs: 60_000, gatewayUrl: undefined };
  const outcome = real.step(model, { kind: 'drain', draining, at: instant(model.nowMs) });
  deepStrictEqual(outcome, isFirst ? ['go_away'] : []);
  model.isDraining = true;
});

const ids = ['a', 'b', 'c', 'd'];
const anyId = fc.constantFrom(...ids);

const COMMANDS = [
  fc.constant(authenticate),
  fc.constant(verified('accepted', { kind: 'authenticated', credential: credentialOf() }, true, true)),
  fc.constant(
    verified(
      'narrower',
      { kind: 'authenticated', credential: credentialOf('p', ['stations:read']) },
      true,
      false,
    ),
  ),
  fc.constant(verified('of another', { kind: 'authenticated', credential: credentialOf('q') }, false, true)),
  fc.constant(verified('refused', { kind: 'refused', reason: 'unknown' }, true, true)),
  fc.constant(verified('rate limited', { kind: 'rate_limited', retryAfterMs: 1 }, true, true)),
  fc.constant(verified('unavailable', { kind: 'unavailable', retryAfterMs: 1 }, true, true)),
  fc.tuple(anyId, fc.nat(DEFINITIONS.length - 1)).map(([id, definition]) => subscribe(id, definition)),
  anyId.map(unsubscribe),
  fc.tuple(anyId, fc.boolean()).map(([id, isPlaced]) => opened(id, isPlaced)),
  anyId.map(caughtUp),
  anyId.map(staleTicket),
  fc.constant(malformed),
  fc.boolean().map(pong),
  fc.constantFrom(1, 1_000, TIMEOUT_MS, PONG_MS, INTERVAL_MS).map(pass),
  fc.constant(drain),
];

const AUTHENTICATED_START: readonly SessionCommand[] = [
  authenticate,
  verified('accepted', { kind: 'authenticated', credential: credentialOf() }, true, true),
];

function explore(start: readonly SessionCommand[], maxCommands: number, numRuns: number): string | undefined {
  const commands = fc.commands(COMMANDS, { maxCommands, size: 'max' });
  const sessions = fc.property(commands, (drawn) => {
    fc.modelRun(() => {
      const real = new Real();
      const model = new Model();
      for (const each of start) each.run(model, real);
      return { model, real };
    }, drawn);
  });
  const result = fc.check(sessions, { numRuns });
  return result.failed ? fc.defaultReportMessage(result) : undefined;
}

test('a session does what a simple model of it expects, whatever happens in whatever order', () => {
  expect(explore(AUTHENTICATED_START, 60, 1_000)).toBeUndefined();
});

test('a session that starts without a credential does too', () => {
  expect(explore([], 20, 500)).toBeUndefined();
});
