import {
  FILTER_OPERATOR_NAMES,
  type FilterError,
  hasCode,
  parsePointer,
  parseRowRule,
  TRANSITIONS,
} from 'rostack-core';
import { z } from 'zod';
import { representationsSection } from './representations-section.ts';
import { flag, schemaFile, text, value } from './values.ts';

const PERMISSION_NAME = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;
const RESOURCE_NAME = /^[a-z][a-z0-9-]{0,199}$/;
const SCHEMA_NAME = /^[a-z][a-z0-9-]*$/;
const EVENT_NAME = /^[a-z][a-z0-9.-]*$/;
/** One or two names separated by a dot, each bare or in double quotes. */
const TABLE = /^(?:"(?:[^"]|"")+"|[^\s".]+)(?:\.(?:"(?:[^"]|"")+"|[^\s".]+))?$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;

const RULE_MEMBER = /^(?:\/|\$(?:and|or|not)$)/;

const pointer = value(z.string().regex(POINTER), { write: 'a JSON Pointer of a field, such as /id' });

const permissionName = value(z.string().regex(PERMISSION_NAME), {
  write: 'the name of a permission, such as stations:read',
});
const permissionNames = (description: string) =>
  z.array(permissionName).meta({ description, write: 'a list of permissions, such as [stations:read]' });

const operators = value(
  z.union([
    z.literal('all'),
    z
      .array(value(z.enum(FILTER_OPERATOR_NAMES), { write: `one of ${FILTER_OPERATOR_NAMES.join(', ')}` }))
      .min(1),
  ]),
  {
    description: 'all: every operator that can match the type of the field.',
    write: `all, or a list of operators: ${FILTER_OPERATOR_NAMES.join(', ')}`,
  },
);

const event = z.strictObject({
  transition: value(z.enum(TRANSITIONS), {
    description: 'What happened to the record.',
    write: TRANSITIONS.join(' or ').replace(' or ', ', '),
  }),
  description: text('For people.', 'a sentence').optional(),
  carries: value(z.union([z.enum(['record', 'nothing']), z.array(z.string().min(1)).min(1)]), {
    description:
      "What the event's data is: the record (before a delete), nothing, or the members of the record that are listed.",
    write: 'record, nothing, or a list of members of the record, such as [id, status]',
  }).default('record'),
  tombstone: flag('Whether the data is that of a deleted record; true by default for a delete.').optional(),
});

const visible = value(
  z
    .record(
      value(z.string().regex(RULE_MEMBER), { write: 'the JSON Pointer of a field, $and, $or or $not' }),
      z.json(),
    )
    .refine((rule) => Object.keys(rule).length > 0)
    .superRefine((rule, context) => {
      try {
        parseRowRule(rule);
      } catch (error) {
        if (!hasCode<FilterError>(error, 'invalid_filter', 'unsupported_filter')) throw error;
        const { location, message: placed } = error;
        const message = `: ${placed.replace(`${JSON.stringify(location)}: `, '')}`;
        context.addIssue({ code: 'custom', path: parsePointer(location), message });
      }
    }),
  {
    description:
      'Which records a principal sees: a filter (protocol section 6) where an operand may be { principal: REFERENCE }, with id, method, permissions or claims.NAME. A principal that has no such claim sees nothing. Absent: every record.',
    write: 'a filter, such as { /tenant: { eq: { principal: claims.tenant } } }',
  },
);

const hidden = value(
  z.record(
    pointer,
    z.array(permissionName).min(1).meta({
      description: 'All are needed together to see the field.',
      write: 'a list of permissions, such as [people:private]',
    }),
  ),
  {
    description:
      'Fields and the permissions that they need beyond those to read. application/json and events are without them, so are representations that do not require these permissions; who lacks them cannot filter or sort by them.',
    write: 'fields and their permissions, such as { /salary: [people:private] }',
  },
).default({});

const source = z.strictObject({
  table: value(z.string().regex(TABLE), {
    description:
      'The table, with its schema. Names with dots, blanks or quotes are written in double quotes.',
    write: 'the name of a table with its schema, such as public.observations',
  }),
  key: value(z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(32)]), {
    description: 'Column of the primary key: the id of the records. Several columns become one id.',
    write: 'the name of a column, or a list of the columns of the primary key',
  }),
  columns: z
    .array(
      value(
        z.union([
          z.string().min(1),
          z.strictObject({
            column: text('Name in the table.', 'the name of a column'),
            member: text(
              'Name in the record. Absent: that of the column.',
              'the name of a member of the record',
            ).optional(),
            as: value(z.enum(['decimal-string', 'text', 'json-text']), {
              description:
                'decimal-string: numeric and integers become strings with all digits, which compare by number. The schema says { type: string, format: decimal } there. text: a column of any type of PostgreSQL, also one of an extension, becomes the text that the server prints of it. json-text: JSON of any form becomes its text; the schema says { type: string } there.',
              write: 'decimal-string, text or json-text, or leave it out',
            }).optional(),
          }),
        ]),
        {
          write:
            'the name of a column, or { column: NAME, member: NAME IN THE RECORD, as: decimal-string, text or json-text }, the last two where needed',
        },
      ),
    )
    .min(1)
    .optional()
    .meta({
      description: 'The columns that records have, by name or as { column, member, as }. Absent: all.',
      write: 'a list of columns, such as [id, name]',
    }),
});

/** One resource. */
export const resource = z
  .strictObject({
    description: text('For people.', 'a sentence').optional(),
    schema: schemaFile('JSON Schema (draft 2020-12) of a record.'),
    id: pointer.default('/id').meta({
      description: 'JSON Pointer of the id, required: a string in all records, or an integer in all of them.',
    }),
    read_permissions: permissionNames('All are needed together to read.').min(1),
    subscribe_permissions: permissionNames(
      'All are needed together to follow; empty: any principal. Absent: those to read.',
    ).optional(),
    filterable: z.record(pointer, operators).default({}).meta({
      description: 'Fields that clients may filter by.',
      write: 'fields and their operators, such as { /id: all }',
    }),
    sortable: z
      .array(pointer)
      .default([])
      .meta({ description: 'Fields that clients may sort by.', write: 'a list of fields, such as [/id]' }),
    composite_indexes: z
      .array(
        value(z.strictObject({ equal: pointer, sort: pointer }), {
          write: '{ equal: FIELD, sort: FIELD }, such as { equal: /customer, sort: /ordered_at }',
        }),
      )
      .default([])
      .meta({
        description:
          'Pairs of fields that share an index, for lists of one value (eq) of the first that are sorted by the second, up or down.',
        write: 'a list of pairs, such as [{ equal: /customer, sort: /ordered_at }]',
      }),
    events: z
      .record(
        value(z.string().regex(EVENT_NAME), {
          write:
            'an event name such as station.created: small letters, digits, dots and hyphens, since the protocol has no underscores in it',
        }),
        event,
      )
      .default({})
      .meta({
        description: 'Events, by name.',
        write: 'events by name, such as { station.created: { transition: create } }',
      }),
    share: value(z.enum(['none', 'cohort']), {
      description:
        'cohort: a cache that asks at /audience may give a list to all who see the same. Only behind such a cache.',
      write: 'none or cohort',
    }).default('none'),
    visible: visible.optional(),
    hidden,
    representations: representationsSection,
    event_filtering: flag(
      'Whether subscriptions may carry a filter. Absent: true where each transition has one event.',
    ).optional(),
    source: source.optional().meta({
      description:
        'An existing table in the database of store.url that the records come from; on SQLite, in its file.',
    }),
  })
  .transform((section) => ({
    description: section.description,
    /** Schema of one record as it is stored. */
    schema: section.schema,
    id: section.id,
    readPermissions: section.read_permissions,
    subscribePermissions: section.subscribe_permissions,
    filterable: section.filterable,
    sortable: section.sortable,
    compositeIndexes: section.composite_indexes,
    events: section.events,
    share: section.share,
    visible: section.visible,
    hidden: section.hidden,
    /** Additional representations, by media type. */
    representations: section.representations,
    eventFiltering: section.event_filtering,
    source: section.source,
  }));

const notEmpty = (registry: object) => Object.keys(registry).length > 0;

/** Permission name to a text for people. */
export const permissionsSection = value(
  z.record(permissionName, text('For people.', 'a sentence')).refine(notEmpty),
  { write: 'at least one permission with a text for people, such as { "stations:read": Read stations. }' },
);

/** Resources by name. */
export const resourcesSection = value(
  z
    .record(value(z.string().regex(RESOURCE_NAME), { write: 'a resource name such as stations' }), resource)
    .refine(notEmpty),
  { write: 'at least one resource, such as { stations: { schema: stations.schema.json, ... } }' },
);

/** Schemas by the name that others refer to them by. */
export const schemasSection = z
  .record(
    value(z.string().regex(SCHEMA_NAME), { write: 'a name such as address' }),
    schemaFile('JSON Schema (draft 2020-12) that others refer to.'),
  )
  .prefault({})
  .meta({
    description:
      'JSON Schemas that those of resources, representations and each other refer to, by name: "$ref": "address.schema.json" leads to the one called address.',
    write: 'names and files, such as { address: address.schema.json }',
  });
