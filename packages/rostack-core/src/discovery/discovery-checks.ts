import {
  type Check,
  exactWholeNumbers,
  type Finding,
  inexactNumbers,
  read,
  readItems,
  readMembers,
  repeated,
} from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { RESOURCE_CHECKS } from './resource-checks.ts';
import { URL_CHECKS } from './url-checks.ts';

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

const CAPABILITY_CHECKS: readonly Check[] = [
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
  exactWholeNumbers(function* (document) {
    yield* inexactNumbers(document, ['max_page_size'], ['capabilities']);
    const names = readMembers(document, ...WEBSOCKET).map(([name]) => name);
    yield* inexactNumbers(document, names, WEBSOCKET);
  }),
];

const AUTHENTICATION_CHECKS: readonly Check[] = [
  {
    name: 'permission_name_kept',
    releases: ['2026-08-12'],
    *find(document) {
      const keys = ['authentication', 'permissions', '__proto__'];
      if (typeof read(document, ...keys) === 'string') yield { keys, message: 'must have another name' };
    },
  },
];

const ERROR_CHECKS: readonly Check[] = [
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

/** Every rule of discovery documents that the published schema does not have, by its stable name. */
export const DISCOVERY_CHECKS: readonly Check[] = [
  ...AUTHENTICATION_CHECKS,
  ...CAPABILITY_CHECKS,
  ...ERROR_CHECKS,
  ...RESOURCE_CHECKS,
  ...URL_CHECKS,
];
