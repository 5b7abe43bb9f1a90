import type { JsonObject } from 'rostack-core';

/** A typical resource: a closed schema, one field to filter by, one to sort by. */
export const stations = {
  name: 'stations',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'height'],
    properties: {
      id: { type: 'string' },
      name: { type: 'string' },
      height: { type: 'number' },
      place: {
        type: 'object',
        additionalProperties: false,
        properties: { lat: { type: 'number' }, lon: { type: 'number' } },
      },
    },
  },
  filterableFields: { '/height': ['gt', 'lt'] },
  sortableFields: ['/height'],
} as const;

export function stationRecord(index: number): JsonObject {
  return {
    id: `s${index}`,
    name: `station number ${index}`,
    height: index % 3_000,
    place: { lat: 37.5, lon: 127 },
  };
}
