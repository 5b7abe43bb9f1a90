import type { IncomingMessage } from 'node:http';
import { disarmPromise, guardObserver } from 'rostack-core';
import { addressKey } from '../http/client-address.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import type { UpgradeRefusal } from './connection/upgrade.ts';
import type { GatewayAlarm, GatewayObserver } from './gateway-observer.ts';
import type { WebSocketGatewayOptions } from './gateway-options.ts';

/** The caller's functions, none of which can end more than what it was called for. */
export interface GuardedCallbacks {
  /** None of its functions throws. */
  readonly observer: GatewayObserver;
  readonly clock: Clock;
  readonly random: () => number;
  /** @throws whatever the caller's function throws */
  readonly addressOf: (request: IncomingMessage) => string;
  /** @throws whatever the caller's function throws */
  readonly refuse: (request: IncomingMessage) => UpgradeRefusal | undefined;
}

/** The alarm at a clock or a source of random numbers that fails is raised no more often. */
const ALARM_PAUSE_MS = 60_000;

export function guardCallbacks(options: WebSocketGatewayOptions): GuardedCallbacks {
  const observer = guardGatewayObserver(options.observer ?? {});
  const substitute = substitution((alarm) => observer.onAlarm?.(alarm));
  const { clock, random, addressOf, refuse } = options;
  return {
    observer,
    clock: clock === undefined ? SYSTEM_CLOCK : guardClock(clock, substitute),
    random: random === undefined ? Math.random : substitute('random', random, isShare, Math.random),
    addressOf: (request) =>
      checkAddress(addressOf?.(request) ?? addressKey(request.socket.remoteAddress) ?? ''),
    refuse: (request) => checkRefusal(refuse?.(request)),
  };
}

/** What an observer throws becomes an alarm, and what its `onAlarm` throws becomes nothing: there is nobody left to tell. */
function guardGatewayObserver(observer: GatewayObserver): GatewayObserver {
  const onAlarm = guardObserver(
    (alarm: GatewayAlarm) => observer.onAlarm?.(alarm),
    () => {},
  );
  const guard = <A extends readonly unknown[]>(name: keyof GatewayObserver, call: (...told: A) => unknown) =>
    guardObserver(call, (error) => onAlarm({ kind: 'callback_failed', callback: `observer.${name}`, error }));
  return {
    onAlarm,
    onUpgradeRefused: guard('onUpgradeRefused', (...told) => observer.onUpgradeRefused?.(...told)),
    onConnected: guard('onConnected', (...told) => observer.onConnected?.(...told)),
    onAuthenticated: guard('onAuthenticated', (...told) => observer.onAuthenticated?.(...told)),
    onAuthenticationFailed: guard('onAuthenticationFailed', (...told) =>
      observer.onAuthenticationFailed?.(...told),
    ),
    onErrorSent: guard('onErrorSent', (...told) => observer.onErrorSent?.(...told)),
    onClosed: guard('onClosed', (...told) => observer.onClosed?.(...told)),
  };
}

/** Calls the first function, and the second one where the first throws or gives something else. */
type Substitute = <A extends readonly unknown[], T>(
  callback: string,
  call: (...given: A) => T,
  fits: (value: unknown) => boolean,
  instead: (...given: A) => T,
) => (...given: A) => T;

function substitution(raise: (alarm: GatewayAlarm) => void): Substitute {
  const toldAtMs = new Map<string, number>();
  const tell = (callback: string, error: unknown): void => {
    const nowMs = performance.now();
    if (nowMs - (toldAtMs.get(callback) ?? Number.NEGATIVE_INFINITY) < ALARM_PAUSE_MS) return;
    toldAtMs.set(callback, nowMs);
    raise({ kind: 'callback_failed', callback, error });
  };
  return (callback, call, fits, instead) =>
    (...given) => {
      try {
        const value = call(...given);
        if (fits(value)) return value;
        disarmPromise(value, ignore);
        tell(callback, new TypeError(`${callback} gave ${typeof value} ${String(value)}`));
      } catch (error) {
        tell(callback, error);
      }
      return instead(...given);
    };
}

function guardClock(clock: Clock, substitute: Substitute): Clock {
  return {
    wallMs: substitute(
      'clock.wallMs',
      () => clock.wallMs(),
      Number.isFinite,
      () => SYSTEM_CLOCK.wallMs(),
    ),
    monotonicMs: substitute(
      'clock.monotonicMs',
      () => clock.monotonicMs(),
      Number.isFinite,
      () => SYSTEM_CLOCK.monotonicMs(),
    ),
    after: substitute(
      'clock.after',
      (delayMs: number, callback: () => void) => clock.after(delayMs, callback),
      isFunction,
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

/** What a promise rejects with, where no promise belongs: that it is one has been told. */
function ignore(): void {}

const isFunction = (value: unknown): boolean => typeof value === 'function';

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value < 1;

function checkAddress(address: unknown): string {
  if (typeof address === 'string') return address;
  disarmPromise(address, ignore);
  throw new TypeError(`addressOf gave ${typeof address} where a text belongs.`);
}

function checkRefusal(refusal: UpgradeRefusal | undefined): UpgradeRefusal | undefined {
  if (refusal === undefined) return undefined;
  const { status, reason } = Object(refusal) as Partial<UpgradeRefusal>;
  if (
    Number.isInteger(status) &&
    Number(status) >= 400 &&
    Number(status) <= 599 &&
    typeof reason === 'string'
  )
    return refusal;
  disarmPromise(refusal, ignore);
  throw new TypeError('refuse gave something that is no refusal: give undefined, or a status and a reason.');
}
