import type { ResourceDefinition } from '../../src/index.ts';

/** A resource whose records may be large, for a table with texts, bytes and JSON. */
export const letters: ResourceDefinition = {
  name: 'letters',
  idPointer: '/id',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'body'],
    properties: {
      id: { type: 'string' },
      body: { type: ['string', 'null'] },
      more: true,
      told: { type: ['array', 'null'] },
    },
  },
  events: [
    { name: 'letter.made', transition: 'create' },
    { name: 'letter.changed', transition: 'update' },
    { name: 'letter.gone', transition: 'delete' },
  ],
};
