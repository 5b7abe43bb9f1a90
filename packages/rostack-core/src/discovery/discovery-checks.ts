import type { Check } from '../model/check.ts';
import { RELEASES } from '../release/release.ts';
import { DISCOVERY_CROSS_CHECKS } from './cross-checks.ts';

/** Every rule of discovery documents that the published schema does not have, by its stable name. */
export const DISCOVERY_CHECKS: readonly Check[] = [
  ...DISCOVERY_CROSS_CHECKS.map(({ name, releases }) => ({ name, releases })),
  { name: 'item_url_template_usable', releases: RELEASES },
  { name: 'media_type_valid', releases: RELEASES },
  { name: 'field_pointer_valid', releases: RELEASES },
  { name: 'url_usable', releases: RELEASES },
  { name: 'uri_valid', releases: RELEASES },
  { name: 'whole_number_exact', releases: RELEASES },
];
