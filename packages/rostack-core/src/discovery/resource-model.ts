import { z } from 'zod';
import { annotate, notEmpty, uniqueArray, withoutProtoMember } from '../model/constraints.ts';
import {
  FIELD_POINTER_PATTERN,
  fieldPointer,
  httpsTemplate,
  httpsUrl,
  mediaType,
  uri,
} from '../model/text.ts';
import { TRANSITIONS } from '../record/change.ts';
import { type Release, SCHEMA_DIALECT } from '../release/release.ts';
import { permissionName } from './authentication-model.ts';
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

const representations = (release: Release) =>
  annotate(
    z
      .array(
        z.strictObject({
          media_type: mediaType,
          schema_url: httpsUrl,
          schema_dialect: dialect[release],
          description: z.string().optional(),
        }),
      )
      .check(notEmpty('must hold at least one representation'))
      .refine(
        (all) => all.some(({ media_type }) => media_type === JSON_MEDIA_TYPE),
        `must hold one for ${JSON_MEDIA_TYPE}`,
      ),
    {
      contains: {
        type: 'object',
        properties: { media_type: { const: JSON_MEDIA_TYPE } },
        required: ['media_type'],
      },
    },
  );

const event = (release: Release) =>
  z.strictObject({
    name: z.string().regex(EVENT_NAME_PATTERN, 'must be an event name such as "station.created"'),
    schema_url: httpsUrl,
    schema_dialect: dialect[release],
    description: z.string().optional(),
    state_transition: z.enum(TRANSITIONS),
    tombstone: annotate(z.boolean().optional(), { default: false }),
  });

const filtering = z.strictObject({
  filterable_fields: annotate(
    withoutProtoMember(
      z.record(
        fieldPointer,
        uniqueArray(filterOperatorModel).check(notEmpty('must name at least one operator')),
      ),
    ),
    { propertyNames: { pattern: FIELD_POINTER_PATTERN.source } },
  ),
  sortable_fields: uniqueArray(fieldPointer),
});

export const resourceModel = (release: Release) =>
  z.strictObject({
    name: z.string().regex(RESOURCE_NAME_PATTERN, 'must be a resource name such as "stations"'),
    description: z.string().optional(),
    collection_url: httpsTemplate,
    item_url_template: httpsTemplate,
    representations: representations(release),
    events: z.array(event(release)),
    event_filtering: annotate(z.boolean().optional(), { default: false }),
    filtering,
    read_permissions: uniqueArray(permissionName[release]).check(
      notEmpty('must name at least one permission'),
    ),
    subscribe_permissions: uniqueArray(permissionName[release]),
  });

/** One resource as discovery declares it (protocol section 2). */
export type Resource = z.infer<ReturnType<typeof resourceModel>>;

/** A media type of a resource, with the schema of what it carries. */
export type Representation = Resource['representations'][number];

/** One kind of event that a resource declares. */
export type EventDescriptor = Resource['events'][number];

/** Which fields of a resource may be filtered, with which operators, and sorted. */
export type ResourceFiltering = Resource['filtering'];
