import type { JsonObject } from 'rostack-core';
import type { PutChange, ResourceDefinition, StoreChange } from '../../src/index.ts';

/** A resource of the tests: closed schema, one event per transition. */
export const stations: ResourceDefinition = {
  name: 'stations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'height'],
    properties: {
      id: { type: 'string' },
      height: { type: 'number', minimum: -500 },
      status: { enum: ['on', 'off', 'lost'] },
      name: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  },
  events: [
    { name: 'station.created', transition: 'create' },
    { name: 'station.updated', transition: 'update' },
    { name: 'station.removed', transition: 'delete' },
  ],
  filterableFields: {
    '/status': ['eq', 'in'],
    '/height': ['gt', 'gte', 'lt', 'lte', 'eq'],
    '/tags': ['contains'],
  },
  sortableFields: ['/height', '/name'],
};

/** A resource without events, indexes or rules. */
export const notes: ResourceDefinition = { name: 'notes', idPointer: '/id', schema: { type: 'object' } };

export function put(record: JsonObject, rest: Partial<PutChange> = {}): StoreChange {
  return { resource: 'stations', op: 'put', record, ...rest };
}

export function remove(id: string, rest: Partial<StoreChange> = {}): StoreChange {
  return { resource: 'stations', op: 'delete', id, ...(rest as object) };
}
