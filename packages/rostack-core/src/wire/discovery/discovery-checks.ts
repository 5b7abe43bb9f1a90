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

/** The sentence of each of `DISCOVERY_CHECKS`, by its name. */
export const DISCOVERY_RULES: Readonly<Record<string, string>> = {
  heartbeat_timeout_within_interval: 'heartbeat_timeout_ms is at most heartbeat_interval_ms.',
  reconnect_delays_in_order: 'reconnect_max_delay_ms is at least reconnect_min_delay_ms.',
  permission_name_kept: 'No permission is named __proto__, which an object of JavaScript does not keep.',
  http_error_declared_once: 'Each problem type occurs at most once in errors.http.',
  websocket_error_declared_once: 'Each error code occurs at most once in errors.websocket.',
  resource_name_unique: 'Names are unique among the resources of an implementation.',
  item_url_template_usable:
    'item_url_template is a URI template (RFC 6570) with a literal https origin and no user information.',
  item_url_requires_only_id: 'The only required variable of item_url_template is {id}.',
  json_representation: 'One representation is application/json.',
  media_type_valid: 'A media_type is a media type with its parameters (RFC 9110).',
  field_pointer_valid: 'Filterable and sortable fields are JSON Pointers (RFC 6901).',
  event_name_unique: 'Event names are unique within a resource.',
  event_filtering_has_one_descriptor_per_transition:
    'event_filtering needs exactly one descriptor for each of create, update and delete.',
  permission_registered: 'Every permission of a resource is listed in authentication.permissions.',
  filter_operator_advertised:
    'Every operator of a filterable field is listed in capabilities.filter_operators.',
  schema_url_owned: 'A schema_url belongs to the implementation: it is not under https://spec.pmh.codes.',
  url_usable:
    'Every https and wss URL has a host and a port that can be connected to, and no user information.',
  uri_valid:
    'documentation_url and schema_dialect are URIs (RFC 3986), and their host is a name or an address.',
  whole_number_exact: 'Integers are at most 9007199254740991: a double does not hold all of the larger ones.',
};
