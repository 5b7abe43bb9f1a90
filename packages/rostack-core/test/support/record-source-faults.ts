import {
  type Change,
  compareRecords,
  type JsonObject,
  joinBodies,
  type Page,
  type PageQuery,
  pageKeyOf,
  parseBodies,
  type RecordSource,
  recordIdText,
} from '../../src/index.ts';
import type { MemoryRecordSource } from '../../src/testing/index.ts';

/** Methods in the place of those of the reference. */
export type Faults = (memory: MemoryRecordSource) => Partial<RecordSource>;

/** A page of all rows that match, in another order. */
async function reordered(
  memory: MemoryRecordSource,
  { limit, after, ...query }: PageQuery,
  compare: (a: Row, b: Row) => number,
): Promise<Page> {
  const { head, bodies } = await memory.page({ ...query, limit: 1_000 });
  const rows = parseBodies(bodies).map((value) => ({ id: recordIdText(value['id']) ?? '', value }));
  // Backwards, so that what does not compare ids leaves ties in another order than theirs.
  rows.reverse().sort(compare);
  const from = rows.findIndex(({ id }) => id === after?.id) + 1;
  const shown = rows.slice(from, from + limit);
  const last = from + limit < rows.length ? shown.at(-1) : undefined;
  return {
    head,
    bodies: joinBodies(shown.map(({ value }) => JSON.stringify(value))),
    next: last && pageKeyOf(last, query.sort),
  };
}

interface Row {
  readonly id: string;
  readonly value: JsonObject;
}

const changed =
  (memory: MemoryRecordSource, change: (change: Change) => Partial<Change>): RecordSource['read'] =>
  async (...args) =>
    (await memory.read(...args)).map((each) => ({ ...each, ...change(each) }));

const paged =
  (
    memory: MemoryRecordSource,
    change: (page: Page, query: PageQuery) => Partial<Page>,
  ): RecordSource['page'] =>
  async (query) => {
    const page = await memory.page(query);
    return { ...page, ...change(page, query) };
  };

const rewritten = (bodies: Uint8Array, change: (record: JsonObject) => JsonObject): Uint8Array =>
  joinBodies(parseBodies(bodies).map((record) => JSON.stringify(change(record))));

/** What a record source may do wrong, and the checks that have to find it. */
export const FAULTS: Readonly<Record<string, readonly [Faults, readonly string[]]>> = {
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
  'the log has a hole': [
    (memory) => ({
      read: async (...args) => (await memory.read(...args)).filter(({ position }) => position !== 2),
    }),
    [
      'read: dense and ascending up to the head',
      'read: the record before and after each change',
      'read: changes stay as they are, and have names of their own',
      'tags: head, changes and tagAt agree',
      'records: one text everywhere',
      'writers at once: head, log and pages agree',
      'model: random changes and queries',
    ],
  ],
  'the log is read backwards': [
    (memory) => ({ read: async (...args) => (await memory.read(...args)).toReversed() }),
    [
      'read: dense and ascending up to the head',
      'read: the record before and after each change',
      'read: changes stay as they are, and have names of their own',
      'tags: head, changes and tagAt agree',
      'pruning: the floor still answers',
      'writers at once: head, log and pages agree',
      'model: random changes and queries',
    ],
  ],
  'the log has a change too many': [
    (memory) => ({ read: (after, limit, tag) => memory.read(after, limit + 1, tag) }),
    ['read: no more than the limit'],
  ],
  'the head is ahead of the log': [
    (memory) => ({
      head: async () => {
        const head = await memory.head();
        return { ...head, position: head.position + 1 };
      },
    }),
    [
      'head: moves by one with each change',
      'tags: another history is refused',
      'pruning: the floor still answers',
      'writers at once: head, log and pages agree',
    ],
  ],
  'the epoch is another one each time': [
    (memory) => {
      let times = 0;
      return {
        head: async () => {
          times += 1;
          return { ...(await memory.head()), epoch: `e${times}` };
        },
      };
    },
    ['head: moves by one with each change', 'pruning: the floor still answers'],
  ],
  'a change has no record before it': [
    (memory) => ({ read: changed(memory, () => ({ before: undefined })) }),
    ['read: the record before and after each change'],
  ],
  'a change has the newest record after it': [
    (memory) => ({
      read: async (...args) => {
        const changes = await memory.read(...args);
        const newest = await Promise.all(changes.map(({ id }) => memory.get(id)));
        return changes.map((change, index) => {
          const record = newest[index];
          const after = typeof record === 'object' && change.after !== undefined ? record.body : change.after;
          return { ...change, after };
        });
      },
    }),
    [
      'read: the record before and after each change',
      'read: changes stay as they are, and have names of their own',
    ],
  ],
  'an update says that it is a create': [
    (memory) => ({
      read: changed(memory, ({ before }) => (before === undefined ? {} : { transition: 'create' })),
    }),
    ['read: the record before and after each change'],
  ],
  'an event has another id when it is read again': [
    (memory) => {
      let times = 0;
      return {
        read: changed(memory, () => {
          times += 1;
          return { eventId: `${times}` };
        }),
      };
    },
    ['read: changes stay as they are, and have names of their own'],
  ],
  'all versions have one name': [
    (memory) => ({ read: changed(memory, () => ({ version: 'v1' })) }),
    ['read: changes stay as they are, and have names of their own', 'get: the newest version'],
  ],
  'tagAt knows no tags': [
    (memory) => ({ tagAt: async () => (await memory.head(), '') }),
    [
      'tags: head, changes and tagAt agree',
      'tags: another history is refused',
      'pruning: below the floor is refused',
      'pruning: the floor still answers',
    ],
  ],
  'a tag is not compared by read': [
    (memory) => ({ read: (after, limit) => memory.read(after, limit) }),
    ['tags: another history is refused'],
  ],
  'a tag is not compared by page': [
    (memory) => ({ page: (query) => memory.page({ ...query, tag: undefined }) }),
    ['tags: another history is refused'],
  ],
  'gone is not told from absent': [
    (memory) => ({
      get: async (...args) => {
        const found = await memory.get(...args);
        return found === 'gone' ? undefined : found;
      },
    }),
    ['get: gone after a deletion', 'get: what the filter hides', 'model: random changes and queries'],
  ],
  'absent is not told from gone': [
    (memory) => ({ get: async (...args) => (await memory.get(...args)) ?? 'gone' }),
    ['get: ids without a record', 'get: what the filter hides', 'pruning: what was deleted is forgotten'],
  ],
  'what is visible is ignored': [
    (memory) => ({ get: (id) => memory.get(id) }),
    ['get: what the filter hides'],
  ],
  'what is visible is ignored for what is gone': [
    (memory) => ({
      get: async (id, visible) => {
        const found = await memory.get(id);
        return found === 'gone' ? 'gone' : memory.get(id, visible);
      },
    }),
    ['get: what the filter hides'],
  ],
  'ids are found without their case': [
    (memory) => ({
      get: async (id, visible) => (await memory.get(id.toLowerCase(), visible)) ?? memory.get(id, visible),
    }),
    [
      'records: one text everywhere',
      'get: the newest version',
      'get: ids without a record',
      'get: what the filter hides',
      'model: random changes and queries',
    ],
  ],
  'a read below the floor begins at the floor': [
    (memory) => ({
      read: async (after, limit, tag) =>
        memory.read(Math.max(after, (await memory.head()).floor), limit, tag),
    }),
    ['pruning: below the floor is refused'],
  ],
  'a page below the floor shows the floor': [
    (memory) => ({
      page: async (query) => {
        const { floor } = await memory.head();
        return memory.page({ ...query, at: query.at === undefined ? undefined : Math.max(query.at, floor) });
      },
    }),
    ['pruning: below the floor is refused'],
  ],
  'the tag of the floor is lost': [
    (memory) => ({
      tagAt: async (position) =>
        (await memory.head()).floor >= position && position > 0 ? undefined : memory.tagAt(position),
    }),
    ['pruning: the floor still answers'],
  ],
  'a deletion is remembered for ever': [
    (memory) => {
      const seen = new Set<string>();
      memory.watch(() => {
        memory.read(0, 1_000).then(
          (changes) => changes.forEach(({ id }) => seen.add(id)),
          () => {},
        );
      });
      return {
        get: async (id, visible) => {
          const found = await memory.get(id, visible);
          return found ?? (visible === undefined && seen.has(id) ? 'gone' : undefined);
        },
      };
    },
    ['pruning: what was deleted is forgotten'],
  ],
  'watch never calls back': [() => ({ watch: () => () => {} }), ['watch: hints after changes']],
  'watch calls back once': [
    () => ({
      watch: (onMoved) => {
        onMoved();
        return () => {};
      },
    }),
    ['watch: hints after changes'],
  ],
  'watch goes on after it was stopped': [
    (memory) => ({
      watch: (onMoved) => {
        memory.watch(onMoved);
        return () => {};
      },
    }),
    ['watch: nothing after stopping'],
  ],
};
