import type { Logger } from 'pino';
import type { GatewayAlarm, GatewayObserver, HttpHooks } from 'rostack-server';

/** Calls them all, in order. */
export function combineHooks(...all: readonly HttpHooks[]): HttpHooks {
  return {
    onRequest: (report) => {
      for (const { onRequest } of all) onRequest?.(report);
    },
    onError: (error, context) => {
      for (const { onError } of all) onError?.(error, context);
    },
  };
}

/** Calls them all, in order. */
export function combineObservers(...all: readonly GatewayObserver[]): Required<GatewayObserver> {
  return {
    onAlarm: (alarm) => {
      for (const { onAlarm } of all) onAlarm?.(alarm);
    },
    onUpgradeRefused: (status, reason) => {
      for (const { onUpgradeRefused } of all) onUpgradeRefused?.(status, reason);
    },
    onConnected: (connection) => {
      for (const { onConnected } of all) onConnected?.(connection);
    },
    onAuthenticated: (connection, principalId) => {
      for (const { onAuthenticated } of all) onAuthenticated?.(connection, principalId);
    },
    onAuthenticationFailed: (connection, reason, isLimited) => {
      for (const { onAuthenticationFailed } of all) onAuthenticationFailed?.(connection, reason, isLimited);
    },
    onErrorSent: (connection, code) => {
      for (const { onErrorSent } of all) onErrorSent?.(connection, code);
    },
    onClosed: (connection, code, reason) => {
      for (const { onClosed } of all) onClosed?.(connection, code, reason);
    },
  };
}

/** Statuses from here on are a fault of the server. */
const SERVER_ERROR = 500;

/** Logs each request (at `info`, faults of the server at `warn`) and each unexpected error. */
export function logHooks(logger: Logger): HttpHooks {
  return {
    onRequest: ({ durationMs, ...report }) => {
      const level = report.status >= SERVER_ERROR ? 'warn' : 'info';
      logger[level]({ ...report, durationMs: Math.round(durationMs * 1_000) / 1_000 }, 'request');
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
