import { type CrossCheck, read } from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { ERROR_MESSAGE_CHECKS } from '../websocket-error/error-message-checks.ts';

/** The rules of messages from a server, other than events, that look at several places at once. */
export const SERVER_MESSAGE_CROSS_CHECKS: readonly CrossCheck[] = [
  ...ERROR_MESSAGE_CHECKS,
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
];
