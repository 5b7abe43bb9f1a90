import type { JsonObject } from 'rostack-core';
import type { Mutant } from '../mutant.ts';
import { bodies, isOf, membersOf, refusing } from './answers.ts';

const plantSchema = (change: (schema: JsonObject) => JsonObject): NonNullable<Mutant['answer']> =>
  bodies(['schema'], (schema, { url }) => (url.endsWith('/plants.schema.json') ? change(schema) : schema));

const opened = ({
  additionalProperties: _closure,
  unevaluatedProperties: _other,
  ...rest
}: JsonObject): JsonObject => rest;

const OPEN: JsonObject = { type: 'object', properties: { more: { type: 'object', properties: {} } } };

const CLOSURE = ['release.owned-schemas', 'discovery.schemas.closed'];

/** Faults in schemas. */
export const SCHEMA_MUTANTS: Readonly<Record<string, Mutant>> = {
  'schemas need credentials': {
    fails: ['discovery.schemas.public'],
    answer: refusing('authentication-required', isOf('schema')),
  },
  'a schema is open': { fails: CLOSURE, answer: plantSchema(opened) },
  'a schema is open further down': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone'],
    answer: plantSchema((schema) => {
      const members = membersOf(schema['properties']);
      return { ...schema, properties: { ...members, place: opened(membersOf(members['place'])) } };
    }),
  },
  'a definition is open': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone', 'discovery.schemas.closed.references'],
    answer: plantSchema((schema) => {
      const place = { $ref: '#/$defs/place' };
      return { ...schema, properties: { ...membersOf(schema['properties']), place }, $defs: { place: OPEN } };
    }),
  },
  'a branch is open': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone', 'discovery.schemas.closed.combinators'],
    answer: plantSchema((schema) => {
      const place = { anyOf: [OPEN, { type: 'null' }] };
      return { ...schema, properties: { ...membersOf(schema['properties']), place } };
    }),
  },
  'a condition is open': {
    fails: [...CLOSURE, 'discovery.schemas.not-root-alone', 'discovery.schemas.closed.conditionals'],
    answer: plantSchema((schema) => {
      const place = { if: { type: 'object' }, else: OPEN };
      return { ...schema, properties: { ...membersOf(schema['properties']), place } };
    }),
  },
  'a closure is a schema': {
    fails: ['release.owned-schemas', 'discovery.schemas.only-false', 'discovery.schemas.closed'],
    answer: plantSchema((schema) => ({ ...schema, additionalProperties: { type: 'string' } })),
  },
  'a pattern of names has no end': {
    fails: ['release.owned-schemas', 'discovery.schemas.name-patterns'],
    answer: plantSchema((schema) => ({ ...schema, patternProperties: { '^x-': { type: 'string' } } })),
  },
  'a schema has another id': {
    fails: ['release.owned-schemas', 'discovery.schemas.id'],
    answer: plantSchema((schema) => ({ ...schema, $id: 'https://localhost/other.schema.json' })),
  },
  'a schema is of another dialect': {
    fails: ['release.owned-schemas', 'discovery.schemas.dialect'],
    answer: plantSchema((schema) => ({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' })),
  },
};
