import type { Check } from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { SERVER_MESSAGE_CROSS_CHECKS } from './parse-server-message.ts';

/** Every rule of messages from a server that the published schema does not have, by its stable name. */
export const SERVER_MESSAGE_CHECKS: readonly Check[] = [
  ...SERVER_MESSAGE_CROSS_CHECKS.map(({ name, releases }) => ({ name, releases })),
  { name: 'url_usable', releases: RELEASES },
  { name: 'date_time_valid', releases: RELEASES },
  { name: 'whole_number_exact', releases: RELEASES },
];

/** The sentence of each of `SERVER_MESSAGE_CHECKS`, by its name. */
export const SERVER_MESSAGE_RULES: Readonly<Record<string, string>> = {
  subscription_id_given: 'A subscription_id is not empty.',
  subscription_id_fits_code: 'An error whose code concerns the connection names no subscription.',
  url_usable: 'Every URL has a host and a port that can be connected to, and no user information.',
  date_time_valid: 'A date and time is written as in RFC 3339 section 5.6, without a leap second.',
  drain_covers_reconnect: 'drain_timeout_ms is at least reconnect_after_ms.',
  whole_number_exact: 'Integers are at most 9007199254740991: a double does not hold all of the larger ones.',
};
