import type { IncomingMessage } from 'node:http';
import {
  aFunction,
  expecting,
  guardObserver,
  ignoreRejection,
  type OptionCheck,
  withSubstitute,
} from 'rostack-core';
import { addressKey } from '../../http/request/client-address.ts';
import type { Refusal } from '../../http/request/refusal.ts';
import type { GatewayAlarm, GatewayHooks } from '../../options/gateway-hooks.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { WebSocketGatewayOptions } from './gateway-options.ts';
import { Throttle } from './throttle.ts';

/** The caller's functions, guarded so that a failing one only affects what it was called for. */
export interface GuardedCallbacks {
  /** None of its functions throws. */
  readonly hooks: GatewayHooks;
  readonly clock: Clock;
  readonly random: () => number;
  /** @throws what the caller's function throws */
  readonly clientAddress: (request: IncomingMessage) => string;
  /** @throws what the caller's function throws */
  readonly refuse: (request: IncomingMessage) => Refusal | undefined;
}

/** Pause between two alarms about the same function of the caller. */
const ALARM_PAUSE_MS = 60_000;

export function guardCallbacks(options: WebSocketGatewayOptions): GuardedCallbacks {
  const hooks = guardGatewayHooks(options.hooks ?? {});
  const substitute = substitution((alarm) => hooks.onAlarm?.(alarm));
  const { clock, random, clientAddress, refuse } = options;
  return {
    hooks,
    clock: clock === undefined ? SYSTEM_CLOCK : guardClock(clock, substitute),
    random: random === undefined ? Math.random : substitute('random', random, aShare, Math.random),
    clientAddress: (request) =>
      checkAddress(clientAddress?.(request) ?? addressKey(request.socket.remoteAddress) ?? ''),
    refuse: (request) => checkRefusal(refuse?.(request)),
  };
}

/** A hook that throws raises an alarm, except `onAlarm` itself, since that alarm would not arrive either. */
function guardGatewayHooks(hooks: GatewayHooks): GatewayHooks {
  const onAlarm = guardObserver(
    (alarm: GatewayAlarm) => hooks.onAlarm?.(alarm),
    () => {},
  );
  const guard = <A extends readonly unknown[]>(name: keyof GatewayHooks, call: (...args: A) => unknown) =>
    guardObserver(call, (error) => onAlarm({ kind: 'callback_failed', callback: `hooks.${name}`, error }));
  return {
    onAlarm,
    onUpgradeRefused: guard('onUpgradeRefused', (...args) => hooks.onUpgradeRefused?.(...args)),
    onConnected: guard('onConnected', (...args) => hooks.onConnected?.(...args)),
    onAuthenticated: guard('onAuthenticated', (...args) => hooks.onAuthenticated?.(...args)),
    onAuthenticationFailed: guard('onAuthenticationFailed', (...args) =>
      hooks.onAuthenticationFailed?.(...args),
    ),
    onErrorSent: guard('onErrorSent', (...args) => hooks.onErrorSent?.(...args)),
    onClosed: guard('onClosed', (...args) => hooks.onClosed?.(...args)),
    // Left out if it is not used, because it costs something for each change.
    ...(hooks.onDelivered && {
      onDelivered: guard('onDelivered', (...args) => hooks.onDelivered?.(...args)),
    }),
  };
}

/** `withSubstitute` that raises an alarm for each function, now and then. */
type Substitute = <A extends readonly unknown[], T>(
  callback: string,
  call: (...args: A) => T,
  check: OptionCheck,
  instead: (...args: A) => T,
) => (...args: A) => T;

function substitution(raise: (alarm: GatewayAlarm) => void): Substitute {
  return (callback, call, check, instead) => {
    const alarms = new Throttle(ALARM_PAUSE_MS);
    const report = (error: unknown): void => {
      if (alarms.permits(performance.now())) raise({ kind: 'callback_failed', callback, error });
    };
    return withSubstitute(callback, call, check, instead, report);
  };
}

function guardClock(clock: Clock, substitute: Substitute): Clock {
  return {
    wallMs: substitute(
      'clock.wallMs',
      () => clock.wallMs(),
      aNumber,
      () => SYSTEM_CLOCK.wallMs(),
    ),
    monotonicMs: substitute(
      'clock.monotonicMs',
      () => clock.monotonicMs(),
      aNumber,
      () => SYSTEM_CLOCK.monotonicMs(),
    ),
    after: substitute(
      'clock.after',
      (delayMs: number, callback: () => void) => clock.after(delayMs, callback),
      aFunction,
      (delayMs, callback) => SYSTEM_CLOCK.after(delayMs, callback),
    ),
    nextTurn: async () => {
      try {
        await clock.nextTurn();
      } catch {
        await SYSTEM_CLOCK.nextTurn();
      }
    },
  };
}

/** Ignores the rejection of a promise where none was allowed: the promise itself has already been reported. */
function ignore(): void {}

const aNumber = expecting('a finite number', Number.isFinite);

const aShare = expecting(
  'a number from 0 to below 1',
  (value) => typeof value === 'number' && value >= 0 && value < 1,
);

function checkAddress(address: unknown): string {
  if (typeof address === 'string') return address;
  ignoreRejection(address, ignore);
  throw new TypeError(`clientAddress returned ${typeof address}: return a string.`);
}

function checkRefusal(refusal: Refusal | undefined): Refusal | undefined {
  if (refusal === undefined) return undefined;
  const { status, reason } = Object(refusal) as Partial<Refusal>;
  if (
    Number.isInteger(status) &&
    Number(status) >= 400 &&
    Number(status) <= 599 &&
    typeof reason === 'string'
  )
    return refusal;
  ignoreRejection(refusal, ignore);
  throw new TypeError(
    'refuse returned something that is not a refusal: return undefined, or a status and a reason.',
  );
}
