import {
  compareRecords,
  type JsonObject,
  joinBodies,
  pageKeyOf,
  parseBodies,
  recordIdText,
} from '../../src/index.ts';
import { type FaultTable, paged, type Row, reordered, rewritten } from './faulty-source.ts';

/** What the pages of a record source may do wrong. */
export const PAGE_FAULTS: FaultTable = {
  'the filter is ignored': [
    (memory) => ({ page: (query) => memory.page({ ...query, filter: undefined }) }),
    [
      'page: the filter',
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'model: random changes and queries',
    ],
  ],
  'the sort order is ignored': [
    (memory) => ({ page: (query) => memory.page({ ...query, sort: [] }) }),
    [
      'page: the sort order',
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'model: random changes and queries',
    ],
  ],
  'descending is ignored': [
    (memory) => ({
      page: (query) => {
        const sort = query.sort.map((key) => ({ ...key, descending: false }));
        return memory.page({ ...query, sort });
      },
    }),
    [
      'page: the sort order',
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'model: random changes and queries',
    ],
  ],
  'null comes before what is missing': [
    (memory) => ({
      page: (query) => {
        const order = compareRecords(query.sort);
        const [key] = query.sort;
        const rank = ({ id, value }: Row) => {
          const [first] = key === undefined ? [] : pageKeyOf({ id, value }, [key]).values;
          return first === undefined ? 1 : first === null ? 0 : 2;
        };
        const turn = key?.descending === true ? -1 : 1;
        return reordered(memory, query, (a, b) => turn * (rank(a) - rank(b)) || order(a, b));
      },
    }),
    [
      'page: the sort order',
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'model: random changes and queries',
    ],
  ],
  'numbers are sorted as texts': [
    (memory) => ({
      page: (query) => {
        const textOf = (value: unknown) => (typeof value === 'number' ? `${value}` : value);
        const asTexts = ({ id, value }: Row): Row => ({
          id,
          value: Object.fromEntries(
            Object.entries(value).map(([name, member]) => [name, textOf(member)]),
          ) as JsonObject,
        });
        const order = compareRecords(query.sort);
        return reordered(memory, query, (a, b) => order(asTexts(a), asTexts(b)));
      },
    }),
    [
      'page: the sort order',
      'page: a chain of pages while others write',
      'model: random changes and queries',
    ],
  ],
  'order by id is missing': [
    (memory) => ({
      page: (query) => {
        const order = compareRecords(query.sort);
        return reordered(memory, query, (a, b) => order({ ...a, id: '' }, { ...b, id: '' }));
      },
    }),
    [
      'page: ties by id',
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'records: one text everywhere',
      'model: random changes and queries',
    ],
  ],
  'ids are in the order of their UTF-16 units': [
    (memory) => ({
      page: (query) => {
        const order = compareRecords(query.sort);
        const byUnits = (a: Row, b: Row) => (a.id < b.id ? -1 : 1);
        return reordered(memory, query, (a, b) => order({ ...a, id: '' }, { ...b, id: '' }) || byUnits(a, b));
      },
    }),
    [
      'page: ties by id',
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'records: one text everywhere',
      'model: random changes and queries',
    ],
  ],
  'the position is ignored': [
    (memory) => ({ page: (query) => memory.page({ ...query, at: undefined, tag: undefined }) }),
    [
      'tags: another history is refused',
      'page: the state at a position',
      'page: beyond the head is refused',
      'page: a chain of pages while others write',
      'pruning: below the floor is refused',
      'pruning: the floor still answers',
      'model: random changes and queries',
    ],
  ],
  'a position beyond the head shows the newest state': [
    (memory) => ({
      page: async (query) => {
        const { position } = await memory.head();
        return memory.page({ ...query, at: query.at && Math.min(query.at, position) });
      },
    }),
    ['tags: another history is refused', 'page: beyond the head is refused'],
  ],
  'a page has a row too many': [
    (memory) => ({ page: (query) => memory.page({ ...query, limit: query.limit + 1 }) }),
    ['page: a chain of pages'],
  ],
  'the last page has a key, too': [
    (memory) => ({
      page: paged(memory, ({ bodies, next }, { sort }) => {
        const last = parseBodies(bodies).at(-1);
        return {
          next: next ?? (last && pageKeyOf({ id: recordIdText(last['id']) ?? '', value: last }, sort)),
        };
      }),
    }),
    ['page: the newest state, and which that is', 'page: a chain of pages'],
  ],
  'a page repeats the row of its key': [
    (memory) => ({
      page: async (query) => {
        if (query.after === undefined) return memory.page(query);
        const { after, limit, ...rest } = query;
        const whole = parseBodies((await memory.page({ ...rest, limit: 1_000 })).bodies);
        const from = whole.findIndex(({ id }) => id === after.id);
        const page = await memory.page(query);
        return {
          ...page,
          bodies: joinBodies(whole.slice(from, from + limit).map((each) => JSON.stringify(each))),
        };
      },
    }),
    [
      'page: a chain of pages',
      'page: a chain of pages while others write',
      'model: random changes and queries',
    ],
  ],
  'the head of a page is older than its rows': [
    (memory) => ({
      page: paged(memory, ({ head }) => ({ head: { ...head, position: Math.max(0, head.position - 1) } })),
    }),
    ['page: the newest state, and which that is', 'writers at once: head, log and pages agree'],
  ],
  'a page has other texts than the rest': [
    (memory) => ({
      page: paged(memory, ({ bodies }) => ({
        bodies: rewritten(bodies, (record) => Object.fromEntries(Object.entries(record).toReversed())),
      })),
    }),
    ['records: one text everywhere'],
  ],
  'texts are normalised on the way in': [
    (memory) => ({
      page: paged(memory, ({ bodies }) => ({
        bodies: rewritten(
          bodies,
          (record) => JSON.parse(JSON.stringify(record).normalize('NFC')) as JsonObject,
        ),
      })),
    }),
    [
      'page: the newest state, and which that is',
      'page: the state at a position',
      'page: the sort order',
      'page: a chain of pages while others write',
      'pruning: the floor still answers',
      'model: random changes and queries',
    ],
  ],
};
