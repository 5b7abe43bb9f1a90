import { RELEASES } from '../../release/release.ts';
import { type DiscoveryCheck, type Finding, read, readItems, repeated } from './discovery-check.ts';
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

const CAPABILITY_CHECKS: readonly DiscoveryCheck[] = [
  {
    name: 'heartbeat_timeout_within_interval',
    rule: 'heartbeat_timeout_ms is at most heartbeat_interval_ms.',
    releases: RELEASES,
    find: (document) =>
      ordered(document, 'heartbeat_timeout_ms', 'heartbeat_interval_ms', 'heartbeat_timeout_ms'),
  },
  {
    name: 'reconnect_delays_in_order',
    rule: 'reconnect_max_delay_ms is at least reconnect_min_delay_ms.',
    releases: RELEASES,
    find: (document) =>
      ordered(document, 'reconnect_min_delay_ms', 'reconnect_max_delay_ms', 'reconnect_max_delay_ms'),
  },
];

const ERROR_CHECKS: readonly DiscoveryCheck[] = [
  {
    name: 'http_error_declared_once',
    rule: 'Each problem type occurs at most once in errors.http.',
    releases: ['2026-08-13'],
    find: (document) => repeated(readItems(document, 'errors', 'http'), 'type', ['errors', 'http']),
  },
  {
    name: 'websocket_error_declared_once',
    rule: 'Each error code occurs at most once in errors.websocket.',
    releases: ['2026-08-13'],
    find: (document) => repeated(readItems(document, 'errors', 'websocket'), 'code', ['errors', 'websocket']),
  },
];

/** Every rule of discovery documents that JSON Schema cannot express, by its stable name. */
export const DISCOVERY_CHECKS: readonly DiscoveryCheck[] = [
  ...CAPABILITY_CHECKS,
  ...ERROR_CHECKS,
  ...RESOURCE_CHECKS,
];
