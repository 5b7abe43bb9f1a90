import type { Check } from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { SERVER_MESSAGE_CROSS_CHECKS } from './cross-checks.ts';

/** Every rule of messages from a server that the published schema does not have, by its stable name. */
export const SERVER_MESSAGE_CHECKS: readonly Check[] = [
  ...SERVER_MESSAGE_CROSS_CHECKS.map(({ name, releases }) => ({ name, releases })),
  { name: 'url_usable', releases: RELEASES },
  { name: 'date_time_valid', releases: RELEASES },
  { name: 'whole_number_exact', releases: RELEASES },
];
