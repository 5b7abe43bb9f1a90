import { type Check, exactWholeNumbers, inexactNumbers, read, unusableUrls } from '../model/check.ts';
import { DATE_TIME_PATTERN } from '../model/text.ts';
import { RELEASES } from '../release/release.ts';
import { ERROR_MESSAGE_CHECKS } from '../websocket-error/error-message-checks.ts';

/** `detail_url` of an event, compact or not, and `gateway_url`. */
const URL_PLACES = [['detail_url'], ['8'], ['gateway_url']] as const;
const TIMES = ['occurred_at', 'reauthenticate_at'] as const;

/** Every rule of messages from a server that the published schema does not have, by its stable name. */
export const SERVER_MESSAGE_CHECKS: readonly Check[] = [
  ...ERROR_MESSAGE_CHECKS,
  exactWholeNumbers((message) => inexactNumbers(message, ['reconnect_after_ms', 'drain_timeout_ms'])),
  {
    name: 'drain_covers_reconnect',
    rule: 'drain_timeout_ms is at least reconnect_after_ms.',
    releases: RELEASES,
    *find(message) {
      const reconnect = read(message, 'reconnect_after_ms');
      const drain = read(message, 'drain_timeout_ms');
      if (typeof reconnect !== 'number' || typeof drain !== 'number' || drain >= reconnect) return;
      yield { keys: ['drain_timeout_ms'], message: `must be at least reconnect_after_ms (${reconnect})` };
    },
  },
  {
    name: 'url_usable',
    rule: 'Every URL has a host and a port that can be connected to, and no user information.',
    releases: RELEASES,
    find: (message) => unusableUrls(message, URL_PLACES),
  },
  {
    name: 'date_time_valid',
    rule: 'A date and time is written as in RFC 3339 section 5.6, without a leap second.',
    releases: RELEASES,
    *find(message) {
      for (const name of TIMES) {
        const time = read(message, name);
        if (typeof time !== 'string' || DATE_TIME_PATTERN.test(time)) continue;
        yield {
          keys: [name],
          message: 'must be an RFC 3339 date and time with "T", offset and no leap second',
        };
      }
    },
  },
];
