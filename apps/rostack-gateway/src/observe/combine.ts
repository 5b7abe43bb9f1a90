import type { GatewayObserver, HttpHooks } from 'rostack-server';

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
