import type { ForeignStyle, JsonRecord } from './foreign-style.ts';

/** Open, as release 2026-08-12 allows. */
const BOOK_SCHEMA: JsonRecord = {
  type: 'object',
  required: ['id', 'title', 'tags'],
  properties: {
    id: { type: 'integer' },
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    lent_to: { type: ['string', 'null'] },
  },
};

const ENTRY_SCHEMA: JsonRecord = {
  type: 'object',
  required: ['number', 'page', 'amount'],
  properties: {
    number: { type: 'integer' },
    page: { type: 'integer' },
    amount: { type: ['number', 'null'] },
  },
};

/**
 * Otherwise than ours and than the one in Go: integer ids, events without data whose schema is of type null, deletions that are no
 * tombstones, `contains` over lists of strings, pages that end when `limit` changes.
 */
export const ledgerStyle: ForeignStyle = {
  id: 'ledger',
  name: 'Ledger',
  apiVersion: '2026-11',
  release: '2026-08-12',
  maxPageSize: 25,
  filterOperators: ['eq', 'contains', 'in'],
  encodings: ['json', 'compact-json'],
  onOtherLimit: 'ends',
  permission: 'READ',
  resources: [
    {
      name: 'books',
      idMember: 'id',
      schema: BOOK_SCHEMA,
      eventSchema: { type: 'null' },
      eventData: (transition) => (transition === 'create' ? null : undefined),
      eventNames: { create: 'book.new', update: 'book.edit', delete: 'book.gone' },
      filterable: { '/tags': ['contains'], '/title': ['eq', 'contains', 'in'] },
      records: Array.from({ length: 60 }, (_, index) => ({
        id: index + 1,
        title: `Book ${index}`,
        tags: index % 3 === 0 ? ['old', 'blue'] : index % 3 === 1 ? ['new'] : [],
        lent_to: index % 4 === 0 ? null : 'kim',
      })),
    },
    {
      name: 'entries',
      idMember: 'number',
      schema: ENTRY_SCHEMA,
      eventSchema: { type: 'null' },
      eventData: () => undefined,
      eventNames: { create: 'entry.new', update: 'entry.edit', delete: 'entry.gone' },
      records: Array.from({ length: 30 }, (_, index) => ({
        number: 1_000 + index,
        page: index >> 2,
        amount: index === 5 ? null : index / 4,
      })),
    },
  ],
};
