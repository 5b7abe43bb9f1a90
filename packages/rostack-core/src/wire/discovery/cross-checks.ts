import { type CrossCheck, type Finding, read, readItems, repeated } from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { RESOURCE_CHECKS } from './resource-checks.ts';

const WEBSOCKET = ['capabilities', 'websocket'];

/** A finding at the member `at` if `lesser` is more than `greater`. */
function* ordered(document: unknown, lesser: string, greater: string, at: string): Iterable<Finding> {
  const low = read(document, ...WEBSOCKET, lesser);
  const high = read(document, ...WEBSOCKET, greater);
  if (typeof low !== 'number' || typeof high !== 'number' || low <= high) return;
  const message =
    at === lesser
      ? `must be at most ${greater} (${high} ms), got ${low}`
      : `must be at least ${lesser} (${low} ms), got ${high}`;
  yield { keys: [...WEBSOCKET, at], message };
}

const CAPABILITY_CHECKS: readonly CrossCheck[] = [
  {
    name: 'heartbeat_timeout_within_interval',
    releases: RELEASES,
    find: (document) =>
      ordered(document, 'heartbeat_timeout_ms', 'heartbeat_interval_ms', 'heartbeat_timeout_ms'),
  },
  {
    name: 'reconnect_delays_in_order',
    releases: RELEASES,
    find: (document) =>
      ordered(document, 'reconnect_min_delay_ms', 'reconnect_max_delay_ms', 'reconnect_max_delay_ms'),
  },
];

const AUTHENTICATION_CHECKS: readonly CrossCheck[] = [
  {
    name: 'permission_name_kept',
    releases: ['2026-08-12'],
    *find(document) {
      const keys = ['authentication', 'permissions', '__proto__'];
      if (typeof read(document, ...keys) === 'string') yield { keys, message: 'must have another name' };
    },
  },
];

const ERROR_CHECKS: readonly CrossCheck[] = [
  {
    name: 'http_error_declared_once',
    releases: ['2026-08-13'],
    find: (document) => repeated(readItems(document, 'errors', 'http'), 'type', ['errors', 'http']),
  },
  {
    name: 'websocket_error_declared_once',
    releases: ['2026-08-13'],
    find: (document) => repeated(readItems(document, 'errors', 'websocket'), 'code', ['errors', 'websocket']),
  },
];

/** The rules of discovery documents that look at several places at once. */
export const DISCOVERY_CROSS_CHECKS: readonly CrossCheck[] = [
  ...AUTHENTICATION_CHECKS,
  ...CAPABILITY_CHECKS,
  ...ERROR_CHECKS,
  ...RESOURCE_CHECKS,
];
