import { z } from 'zod';
import { schemaFile, text, value } from './values.ts';

/** A media type of JSON in lower case, without parameters (RFC 6838 section 4.2, RFC 6839 section 3.1). */
const JSON_MEDIA_TYPE_NAME = /^[a-z0-9][a-z0-9!#$&^_.-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*\+json$/;
const TARGET = /^(?:\/(?:[^~/]|~[01])*)+$/;
const SOURCE = /^(?:\/(?:[^~/]|~[01])*)*$/;

const mappedValue = value(
  z.union([
    z.strictObject({
      from: value(z.string().regex(SOURCE), {
        description: 'JSON Pointer of a field of the record; empty: the whole record.',
        write: 'the JSON Pointer of a field of the record, such as /name',
      }),
    }),
    z.strictObject({
      constant: value(z.json(), {
        description: 'The same for every record.',
        write: 'a string, a number, true, false, null, or a list or map of these',
      }),
    }),
  ]),
  { write: '{ from: POINTER } or { constant: VALUE }' },
);

const PERMISSION_NAME = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;

/** One additional representation of a resource. Without a schema and without a mapping it is the record as it is. */
export const representation = z
  .strictObject({
    schema: schemaFile(
      'JSON Schema (draft 2020-12) of a record as this media type. Absent, with `map`: the record as it is, less what is hidden from it.',
    ).optional(),
    requires: z
      .array(
        value(z.string().regex(PERMISSION_NAME), {
          write: 'the name of a permission, such as people:private',
        }),
      )
      .default([])
      .meta({
        description:
          'Permissions that are needed together, beyond those to read. It shows the hidden fields that need no others.',
        write: 'a list of permissions, such as [people:private]',
      }),
    description: text('For people.', 'a sentence').optional(),
    map: value(
      z
        .record(
          value(z.string().regex(TARGET), {
            write: 'the JSON Pointer of a member, such as /properties/name',
          }),
          mappedValue,
        )
        .refine((map) => Object.keys(map).length > 0),
      {
        description:
          'JSON Pointers of the values, and where each comes from. Parts that are all numbers are the items of an array.',
        write: 'JSON Pointers and where each value comes from, such as { /name: { from: /name } }',
      },
    ).optional(),
  })
  .refine(({ schema, map }) => map === undefined || schema !== undefined, {
    path: ['schema'],
    message: 'is missing; write the schema of what the mapping makes',
  })
  .refine(({ schema, map }) => schema === undefined || map !== undefined, {
    path: ['map'],
    message: 'is missing; write where the values come from, or leave out the schema for the record as it is',
  })
  .transform((section) => ({
    ...section,
    /** Schema of one record in this representation. */
    schema: section.schema,
  }));

/** Additional representations of a resource, by media type. */
export const representationsSection = value(
  z
    .record(
      value(z.string().max(127).regex(JSON_MEDIA_TYPE_NAME), {
        write:
          'a media type that ends in +json, in lower case, such as application/geo+json; application/json is the record as it is',
      }),
      representation,
    )
    .default({}),
  {
    description:
      'Further media types that records are served as, in the order of preference after application/json.',
    write: 'media types, such as { application/geo+json: { schema: station.geojson.schema.json, map: ... } }',
  },
);
