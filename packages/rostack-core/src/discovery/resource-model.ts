import { z } from 'zod';
import { annotate, notEmpty, uniqueArray, withoutProtoMember } from '../model/constraints.ts';
import { httpsUrl, nonEmpty, uri } from '../model/text.ts';
import { TRANSITIONS } from '../record/change.ts';
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
  '2026-08-13': z.literal(SCHEMA_DIALECT),
} satisfies Record<Release, z.ZodType<string>>;

/** Loosely: a check of its own tells whether it is a media type. */
export const MEDIA_TYPE_SHAPE = /^[^/ ]+\/[^/ ]+$/u;

/** Loosely: a check of its own tells whether it is a URI template. */
export const ITEM_TEMPLATE_SHAPE = /^https:\/\/.*\{id\}/u;

const representations = (release: Release) =>
  z
    .array(
      z.strictObject({
        media_type: z.string().regex(MEDIA_TYPE_SHAPE, 'must be a media type such as application/json'),
        schema_url: httpsUrl,
        schema_dialect: dialect[release],
        description: z.string().optional(),
      }),
    )
    .check(notEmpty('must hold at least one representation'));

const event = (release: Release) =>
  z.strictObject({
    name: z.string().regex(EVENT_NAME_PATTERN, 'must be an event name such as "station.created"'),
    schema_url: httpsUrl,
    schema_dialect: dialect[release],
    description: z.string().optional(),
    state_transition: z.enum(TRANSITIONS),
    tombstone: annotate(z.boolean().optional(), { default: false }),
  });

const FIELD = /^\//u;
const fieldName = annotate(
  z.string().regex(FIELD, 'must be a JSON Pointer that starts with "/" (RFC 6901)'),
  {
    id: 'field-name',
  },
);

const filtering = z.strictObject({
  filterable_fields: annotate(
    withoutProtoMember(
      z.record(
        fieldName,
        uniqueArray(filterOperatorModel).check(notEmpty('must name at least one operator')),
      ),
    ),
    { propertyNames: { pattern: FIELD.source } },
  ),
  sortable_fields: uniqueArray(fieldName),
});

export const resourceModel = (release: Release) =>
  z.strictObject({
    name: z.string().regex(RESOURCE_NAME_PATTERN, 'must be a resource name such as "stations"'),
    description: z.string().optional(),
    collection_url: httpsUrl,
    item_url_template: z
      .string()
      .regex(ITEM_TEMPLATE_SHAPE, 'must be an https URI template (RFC 6570) that holds {id}'),
    representations: representations(release),
    events: uniqueArray(event(release)),
    event_filtering: annotate(z.boolean().optional(), { default: false }),
    filtering,
    read_permissions: uniqueArray(nonEmpty).check(notEmpty('must name at least one permission')),
    subscribe_permissions: uniqueArray(nonEmpty),
  });

/** One resource as discovery declares it (protocol section 2). */
export type Resource = z.infer<ReturnType<typeof resourceModel>>;

/** A media type of a resource, with the schema of what it carries. */
export type Representation = Resource['representations'][number];

/** One kind of event that a resource declares. */
export type EventDescriptor = Resource['events'][number];

/** Which fields of a resource may be filtered, with which operators, and sorted. */
export type ResourceFiltering = Resource['filtering'];
