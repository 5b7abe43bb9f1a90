import type { ForeignStyle, JsonRecord } from './foreign-style.ts';

const VALUE_SCHEMA: JsonRecord = {
  anyOf: [
    { type: 'null' },
    { type: 'number' },
    { type: 'array', items: { type: ['string', 'number', 'null'] } },
    {
      type: 'object',
      additionalProperties: false,
      patternProperties: { '^[a-z][a-z0-9_]*$': { type: ['string', 'number', 'boolean', 'null'] } },
    },
  ],
};

const SCHEMA: JsonRecord = {
  type: 'object',
  additionalProperties: false,
  required: ['deviceId', 'kind', 'recordedAt', 'value'],
  properties: {
    deviceId: { type: 'string' },
    kind: { type: 'string' },
    recordedAt: { type: 'string', format: 'date-time' },
    value: VALUE_SCHEMA,
  },
};

const EVENTS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

const row = (deviceId: string, kind: string, value: JsonRecord[string]): JsonRecord => ({
  deviceId,
  kind,
  recordedAt: '2026-08-14T09:30:00+09:00',
  value,
});

/**
 * As the public implementation in Go: no member `id`, no filters, sort orders or event filtering, values of any type, problems that are
 * not declared, and an empty `limit` that counts as none.
 */
export const goStyle: ForeignStyle = {
  id: 'phone',
  name: 'Phone',
  apiVersion: '3',
  release: '2026-08-13',
  maxPageSize: 100,
  filterOperators: [],
  encodings: ['json'],
  onOtherLimit: 'refuses',
  permission: 'phone:read',
  resources: [
    {
      name: 'health-steps',
      idMember: 'deviceId',
      schema: SCHEMA,
      eventNames: EVENTS,
      records: [
        row('watch-1', 'steps', [1200, null, 'late']),
        row('watch-2', 'steps', null),
        row('ring/3', 'steps', { count: 7, unit: 'steps' }),
      ],
    },
    {
      name: 'sms-messages',
      idMember: 'deviceId',
      schema: SCHEMA,
      eventNames: EVENTS,
      records: Array.from({ length: 130 }, (_, number) =>
        row(`sms ${number}`, number % 2 === 0 ? 'in' : 'out', {
          body_text: `text ${number}`,
          seen: number > 9,
        }),
      ),
    },
    { name: 'call-log', idMember: 'deviceId', schema: SCHEMA, eventNames: EVENTS, records: [] },
  ],
};
