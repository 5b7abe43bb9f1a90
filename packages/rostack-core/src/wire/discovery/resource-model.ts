import { TRANSITIONS } from '../../record/change.ts';
import {
  array,
  type BeyondRule,
  boolean,
  literal,
  type Model,
  map,
  nonEmpty,
  object,
  optional,
  patternRule,
  string,
  textOf,
  uniqueArray,
  type ValueOf,
} from '../model/model.ts';
import { FIELD_POINTER_PATTERN, httpsUrl, MEDIA_TYPE_PATTERN, uri } from '../model/text.ts';
import { HTTPS_TEMPLATE_PATTERN } from '../model/uri-pattern.ts';
import { type Release, SCHEMA_DIALECT } from '../release/release.ts';
import { filterOperatorModel } from './capabilities-model.ts';

/** Names of resources. */
export const RESOURCE_NAME_PATTERN = /^[a-z][a-z0-9-]*$/u;

/** Names of event descriptors. */
export const EVENT_NAME_PATTERN = /^[a-z][a-z0-9.-]*$/u;

/** Media type of the representation that every resource must have. */
export const JSON_MEDIA_TYPE = 'application/json';

const dialect = {
  '2026-08-12': uri,
  '2026-08-13': literal(SCHEMA_DIALECT),
} satisfies Record<Release, Model<string>>;

const textLike = (pattern: RegExp, message: string, beyond?: BeyondRule): Model<string> =>
  textOf(patternRule(pattern, message, beyond));

const mediaType = textLike(/^[^/ ]+\/[^/ ]+$/u, 'must be a media type such as application/json', {
  check: 'media_type_valid',
  is: MEDIA_TYPE_PATTERN,
  message: 'must be a media type such as application/json',
});

const itemUrlTemplate = textLike(
  /^https:\/\/.*\{id\}/u,
  'must be an https URI template (RFC 6570) that contains {id}',
  {
    check: 'item_url_template_usable',
    is: HTTPS_TEMPLATE_PATTERN,
    message: 'must be an https URI template (RFC 6570) with a literal origin and no user information',
  },
);

const representations = (release: Release) =>
  array(
    object({
      media_type: mediaType,
      schema_url: httpsUrl,
      schema_dialect: dialect[release],
      description: optional(string),
    }),
    { emptyFault: 'must hold at least one representation' },
  );

const event = (release: Release) =>
  object({
    name: textLike(
      EVENT_NAME_PATTERN,
      'must be an event name such as "station.created": small letters, digits, dots and hyphens (the protocol has no underscores in it)',
    ),
    schema_url: httpsUrl,
    schema_dialect: dialect[release],
    description: optional(string),
    state_transition: literal(...TRANSITIONS),
    tombstone: optional(boolean, false),
  });

const fieldRule = patternRule(/^\//u, 'must be a JSON Pointer that starts with "/" (RFC 6901)', {
  check: 'field_pointer_valid',
  is: FIELD_POINTER_PATTERN,
  message: 'must be a JSON Pointer (RFC 6901): "~" occurs only in ~0 and ~1',
});

export const fieldNameModel = textOf(fieldRule);

const filtering = object({
  filterable_fields: map(
    uniqueArray(filterOperatorModel, { emptyFault: 'must name at least one operator' }),
    { name: fieldRule },
  ),
  sortable_fields: uniqueArray(fieldNameModel),
});

export const resourceModel = (release: Release) =>
  object({
    name: textLike(RESOURCE_NAME_PATTERN, 'must be a resource name such as "stations"'),
    description: optional(string),
    collection_url: httpsUrl,
    item_url_template: itemUrlTemplate,
    representations: representations(release),
    events: uniqueArray(event(release)),
    event_filtering: optional(boolean, false),
    filtering,
    read_permissions: uniqueArray(nonEmpty, { emptyFault: 'must name at least one permission' }),
    subscribe_permissions: uniqueArray(nonEmpty),
  });

/** One resource as discovery declares it (protocol section 2). */
export type Resource = ValueOf<ReturnType<typeof resourceModel>>;

/** A media type of a resource, with the schema of what it carries. */
export type Representation = Resource['representations'][number];

/** One kind of event that a resource declares. */
export type EventDescriptor = Resource['events'][number];

/** Which fields of a resource may be filtered, with which operators, and sorted. */
export type ResourceFiltering = Resource['filtering'];
