import {
  type Check,
  exactWholeNumbers,
  type Finding,
  inexactNumbers,
  read,
  unusableUrls,
} from '../model/check.ts';
import { DATE_TIME_PATTERN } from '../model/text.ts';
import { RELEASES } from '../release/release.ts';
import { ERROR_MESSAGE_CHECKS } from '../websocket-error/error-message-checks.ts';

const unusable = (message: unknown, name: string) => unusableUrls(message, [[name]]);

function* wrongTime(message: unknown, name: string): Iterable<Finding> {
  const time = read(message, name);
  if (typeof time !== 'string' || DATE_TIME_PATTERN.test(time)) return;
  yield { keys: [name], message: 'must be an RFC 3339 date and time with "T", offset and no leap second' };
}

const urlUsable = (find: Check['find']): Check => ({
  name: 'url_usable',
  releases: RELEASES,
  find,
});

const dateTimeValid = (find: Check['find']): Check => ({
  name: 'date_time_valid',
  releases: RELEASES,
  find,
});

const NONE: readonly Finding[] = [];

/** The rules of events, which a client reads by the thousand; compact events have the URL at position eight. */
export const EVENT_CHECKS: readonly Check[] = [
  urlUsable((event) => {
    const name = Array.isArray(event) ? '8' : 'detail_url';
    return typeof read(event, name) === 'string' ? unusable(event, name) : NONE;
  }),
  dateTimeValid((event) => (Array.isArray(event) ? NONE : wrongTime(event, 'occurred_at'))),
];

/** Every rule of messages from a server that the published schema does not have, by its stable name. */
export const SERVER_MESSAGE_CHECKS: readonly Check[] = [
  ...EVENT_CHECKS,
  ...ERROR_MESSAGE_CHECKS,
  exactWholeNumbers((message) => inexactNumbers(message, ['reconnect_after_ms', 'drain_timeout_ms'])),
  {
    name: 'drain_covers_reconnect',
    releases: RELEASES,
    *find(message) {
      const reconnect = read(message, 'reconnect_after_ms');
      const drain = read(message, 'drain_timeout_ms');
      if (typeof reconnect !== 'number' || typeof drain !== 'number' || drain >= reconnect) return;
      yield { keys: ['drain_timeout_ms'], message: `must be at least reconnect_after_ms (${reconnect})` };
    },
  },
  urlUsable((message) => unusable(message, 'gateway_url')),
  dateTimeValid((message) => wrongTime(message, 'reauthenticate_at')),
];
