import type { Logger } from 'pino';
import { isSourceUnavailable } from 'rostack-core';
import type { GatewayAlarm, ServedHooks } from 'rostack-server';
import type { Repeats } from './log/repeats.ts';

const NAMES = [
  'onRequest',
  'onError',
  'onAlarm',
  'onUpgradeRefused',
  'onConnected',
  'onAuthenticated',
  'onAuthenticationFailed',
  'onErrorSent',
  'onClosed',
  'onDelivered',
] as const satisfies readonly (keyof ServedHooks)[];

type Call = (...args: unknown[]) => unknown;

/**
 * Calls all hooks, in order, and returns the result of the last one: the application's hooks come last and may return a promise, whose
 * rejection is handled by whoever guards the hooks.
 */
export function combineHooks(...all: readonly ServedHooks[]): ServedHooks {
  const combined = NAMES.flatMap((name) => {
    const calls = all.flatMap((each) => (each[name] as Call | undefined) ?? []);
    if (calls.length === 0) return [];
    const callEach: Call = (...args) => {
      let last: unknown;
      for (const call of calls) last = call(...args);
      return last;
    };
    return [[name, callEach] as const];
  });
  return Object.fromEntries(combined) as ServedHooks;
}

/** Statuses from here on are the server's fault. */
const SERVER_ERROR = 500;

/** A client over its limit tends to keep asking: its first refusal is logged, the others are counted. */
const TOO_MANY_REQUESTS = 429;

/**
 * Logs each request (at `info`, faults of the server at `warn`), each unexpected error, and WebSocket connections (at `debug`; refusals and
 * alarms higher). Identical alarms, errors and rate limit refusals within a minute are logged once, and then their number.
 */
export function logHooks(logger: Logger, repeats: Repeats): ServedHooks {
  return {
    onRequest: (report) => {
      if (report.status === TOO_MANY_REQUESTS) {
        const { principalId, credentialId, clientAddress } = report;
        const who = { principalId, credentialId, clientAddress };
        repeats.say(`429 ${JSON.stringify(who)}`, 'warn', 'client is limited', report, who);
        return;
      }
      const level = report.status >= SERVER_ERROR ? 'warn' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      const durationMs = Math.round(report.durationMs * 1_000) / 1_000;
      logger[level]({ ...report, durationMs }, 'request');
    },
    onError: (error, context) => {
      // A fault that passes by itself, such as an unavailable database, needs no stack in the log.
      const { operation, resource } = context;
      const reason = error instanceof Error ? error.message : String(error);
      const summary = { operation, resource, reason };
      const key = `error ${JSON.stringify(summary)}`;
      const message = 'request failed';
      if (isSourceUnavailable(error)) repeats.say(key, 'warn', message, { ...context, reason }, summary);
      else repeats.say(key, 'error', message, { ...context, err: error }, summary);
    },
    onAlarm: (alarm) => {
      const { kind } = alarm;
      const described = describeAlarm(alarm);
      repeats.say(`alarm ${kind} ${alarmText(alarm)}`, 'warn', 'gateway alarm', described, {
        alarm: kind,
        reason: alarmText(alarm),
      });
    },
    onUpgradeRefused: (status, reason) => logger.info({ status, reason }, 'upgrade refused'),
    onConnected: ({ id, address }) => logger.debug({ connection: id, address }, 'connected'),
    onAuthenticated: ({ id }, principalId) => logger.debug({ connection: id, principalId }, 'authenticated'),
    onAuthenticationFailed: ({ id, address }, refusal, isLimited, refusalDetail, credentialId) =>
      logger.info(
        { connection: id, clientAddress: address, refusal, refusalDetail, credentialId, isLimited },
        'authentication failed',
      ),
    onErrorSent: ({ id }, code) => logger.debug({ connection: id, code }, 'error sent'),
    onClosed: ({ id }, code, reason) => logger.debug({ connection: id, code, reason }, 'closed'),
  };
}

function describeAlarm({ kind, ...rest }: GatewayAlarm): object {
  const { error, ...members } = { error: undefined, ...rest };
  return error === undefined ? { alarm: kind, ...members } : { alarm: kind, ...members, err: error };
}

/** An alarm as one text, with its error's message. */
export function alarmText({ kind: _kind, ...members }: GatewayAlarm): string {
  return Object.entries(members)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(', ');
}

const textOf = (value: unknown): string =>
  value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value);
