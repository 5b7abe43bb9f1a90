import type { Logger } from 'pino';
import type { GatewayAlarm, GatewayObserver, HttpHooks } from 'rostack-server';

const HOOKS = ['onRequest', 'onError'] as const satisfies readonly (keyof HttpHooks)[];
const EVENTS = [
  'onAlarm',
  'onUpgradeRefused',
  'onConnected',
  'onAuthenticated',
  'onAuthenticationFailed',
  'onErrorSent',
  'onClosed',
] as const satisfies readonly (keyof GatewayObserver)[];

/** Calls all hooks, in order. */
export const combineHooks = (...all: readonly HttpHooks[]): HttpHooks => combine(HOOKS, all);

/** Calls all observers, in order. */
export const combineObservers = (...all: readonly GatewayObserver[]): GatewayObserver => combine(EVENTS, all);

function combine<Observer extends object>(
  names: readonly (keyof Observer)[],
  all: readonly Observer[],
): Observer {
  type Call = (...args: unknown[]) => void;
  const combined = names.flatMap((name) => {
    const calls = all.flatMap((each) => (each[name] as Call | undefined) ?? []);
    if (calls.length === 0) return [];
    const callEach: Call = (...args) => {
      for (const call of calls) call(...args);
    };
    return [[name, callEach] as const];
  });
  return Object.fromEntries(combined) as Observer;
}

/** Statuses from here on are a fault of the server. */
const SERVER_ERROR = 500;

/** Logs each request (at `info`, faults of the server at `warn`) and each unexpected error. */
export function logHooks(logger: Logger): HttpHooks {
  return {
    onRequest: (report) => {
      const level = report.status >= SERVER_ERROR ? 'warn' : 'info';
      if (!logger.isLevelEnabled(level)) return;
      const durationMs = Math.round(report.durationMs * 1_000) / 1_000;
      logger[level]({ ...report, durationMs }, 'request');
    },
    onError: (error, context) => logger.error({ ...context, err: error }, 'request failed'),
  };
}

/** Logs WebSocket connections (at `debug`; refusals and alarms higher). */
export function logObserver(logger: Logger): GatewayObserver {
  return {
    onAlarm: (alarm) => logger.warn(describeAlarm(alarm), 'gateway alarm'),
    onUpgradeRefused: (status, reason) => logger.info({ status, reason }, 'upgrade refused'),
    onConnected: ({ id, address }) => logger.debug({ connection: id, address }, 'connected'),
    onAuthenticated: ({ id }, principalId) => logger.debug({ connection: id, principalId }, 'authenticated'),
    onAuthenticationFailed: ({ id, address }, refusal, isLimited) =>
      logger.info({ connection: id, clientAddress: address, refusal, isLimited }, 'authentication failed'),
    onErrorSent: ({ id }, code) => logger.debug({ connection: id, code }, 'error sent'),
    onClosed: ({ id }, code, reason) => logger.debug({ connection: id, code, reason }, 'closed'),
  };
}

function describeAlarm({ kind, ...rest }: GatewayAlarm): object {
  const { error, ...members } = { error: undefined, ...rest };
  return error === undefined ? { alarm: kind, ...members } : { alarm: kind, ...members, err: error };
}
