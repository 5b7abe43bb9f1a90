import { changed, type FaultTable } from './faulty-source.ts';

/** What its log, its records by id, its pruning and its hints may do wrong. */
export const LOG_FAULTS: FaultTable = {
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
