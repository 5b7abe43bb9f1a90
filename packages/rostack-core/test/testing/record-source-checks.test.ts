import { describe, expect, test } from 'vitest';
import { type JsonObject, joinBodies, type RecordSource, SourceUnavailableError } from '../../src/index.ts';
import {
  type ConformanceError,
  MemoryRecordSource,
  type RecordSourceTarget,
  recordSourceChecks,
  type SampleRecords,
} from '../../src/testing/index.ts';
import { failuresOf } from '../support/failures-of.ts';
import type { Faults } from '../support/faulty-source.ts';
import { LOG_FAULTS } from '../support/log-faults.ts';
import { PAGE_FAULTS } from '../support/page-faults.ts';

const FAULTS = { ...PAGE_FAULTS, ...LOG_FAULTS };

/** The reference with other methods in the place of some. */
class Trial {
  readonly memory = new MemoryRecordSource({ epoch: 'e1', events: { create: 'thing.made' } });
  readonly source: RecordSource;
  /** Set: every call fails with it. */
  outage: Error | undefined;

  constructor(faults: Faults) {
    const { memory } = this;
    const own = faults(memory);
    this.source = {
      head: () => this.#answer(() => (own.head ?? memory.head.bind(memory))()),
      page: (query) => this.#answer(() => (own.page ?? memory.page.bind(memory))(query)),
      get: (...args) => this.#answer(() => (own.get ?? memory.get.bind(memory))(...args)),
      tagAt: (position) => this.#answer(() => (own.tagAt ?? memory.tagAt.bind(memory))(position)),
      read: (...args) => this.#answer(() => (own.read ?? memory.read.bind(memory))(...args)),
      watch: (onMoved) => (own.watch ?? memory.watch.bind(memory))(onMoved),
    };
  }

  async #answer<T>(call: () => Promise<T>): Promise<T> {
    if (this.outage !== undefined) throw this.outage;
    return call();
  }
}

const target = (
  faults: Faults,
  others: Partial<RecordSourceTarget<Trial>> = {},
): RecordSourceTarget<Trial> => ({
  open: () => new Trial(faults),
  source: ({ source }) => source,
  put: ({ memory }, record) => memory.put(record),
  delete: ({ memory }, id) => memory.delete(id),
  prune: ({ memory }) => memory.prune(),
  cutOff: (trial) => {
    trial.outage = new SourceUnavailableError('cut off');
  },
  ...others,
});

describe.for([1, 2, 3])('the reference, with seed %i', (seed) => {
  const reference = target(() => ({}));
  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(recordSourceChecks(reference, { seed }))('$name', ({ run }) => run());
});

describe.for<[string, SampleRecords]>([
  [
    'of a fixed shape, with integers as ids',
    {
      ids: Array.from({ length: 12 }, (_, index) => index * 7 - 20),
      record: (id, random) => ({ id, title: random.pick(['a', 'B', '한']), stars: random.integer(0, 5) }),
      filterable: { '/id': ['in', 'gt'], '/title': 'all', '/stars': ['eq', 'lt', 'exists'] },
      sortable: ['/title', '/stars'],
    },
  ],
  [
    'that nothing filters or sorts',
    {
      ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
      record: (id, random) => ({ id, n: random.integer(0, 99) }),
      filterable: {},
      sortable: [],
    },
  ],
])('the reference with records %s', ([, sample]) => {
  const reference = target(() => ({}), { sample });
  // oxlint-disable-next-line vitest/expect-expect -- a check throws
  test.for(recordSourceChecks(reference))('$name', ({ run }) => run());
});

test('found where writing takes its time: the head is told before the change is in the log', async () => {
  let announced: number | undefined;
  const early: Faults = (memory) => ({
    head: async () => {
      const head = await memory.head();
      return { ...head, position: announced ?? head.position };
    },
  });
  const put = async ({ memory }: Trial, record: JsonObject) => {
    announced = (await memory.head()).position + 1;
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
    memory.put(record);
    announced = undefined;
  };
  const checks = recordSourceChecks(target(early, { put })).filter(({ name }) => !name.startsWith('watch'));
  expect(await failuresOf(checks)).toEqual(['writers at once: head, log and pages agree']);
});

test.for(Object.entries(FAULTS))(
  'found by the checks that want it otherwise: %s',
  async ([, [faults, failing]]) => {
    expect(await failuresOf(recordSourceChecks(target(faults), { hintTimeoutMs: 60 }))).toEqual(failing);
  },
);

test('found: records are kept as the objects that they were given as', async () => {
  const kept = new Map<unknown, JsonObject>();
  const page: Faults = (memory) => ({
    page: async (query) => {
      const { head } = await memory.page(query);
      const bodies = joinBodies([...kept.values()].map((record) => JSON.stringify(record)));
      return { head, bodies, next: undefined };
    },
  });
  const put = ({ memory }: Trial, record: JsonObject) => {
    kept.clear();
    kept.set(record['id'], record);
    memory.put(record);
  };
  const [check] = recordSourceChecks(target(page, { put })).filter(({ name }) =>
    name.startsWith('records: copied'),
  );
  await expect(check?.run()).rejects.toThrow('A record is stored as it was when it was written.');
});

test.for<[string, Error | undefined]>([
  ['answers with what it has', undefined],
  ['says something that is not the contract', new Error('connection refused')],
])('found: in an outage it %s', async ([, error]) => {
  const cutOff = (trial: Trial) => {
    trial.outage = error;
  };
  const failures = await failuresOf(recordSourceChecks(target(() => ({}), { cutOff })));
  expect(failures).toEqual(['outage: source_unavailable']);
});

test('what a target cannot do is not checked', () => {
  const { prune: _, cutOff: __, ...rest } = target(() => ({}));
  const names = recordSourceChecks(rest).map(({ name }) => name);
  expect(names.filter((name) => /^(pruning|outage)/.test(name))).toEqual([]);
  expect(recordSourceChecks(target(() => ({})))).toHaveLength(names.length + 4);
});

test('a failure says what the contract wants, what was seen, and with which seed', async () => {
  const rounding: Faults = (memory) => ({
    get: async (...args) => ((await memory.get(...args)) === 'gone' ? undefined : memory.get(...args)),
  });
  const check = recordSourceChecks(target(rounding), { seed: 41 }).find(
    ({ name }) => name === 'get: gone after a deletion',
  );
  await expect(check?.run()).rejects.toMatchObject({
    name: 'ConformanceError',
    code: 'contract_broken',
    retryable: false,
    check: 'get: gone after a deletion',
    seed: 41,
    message:
      'get says `gone` of a record whose deletion is in the log. Wanted: "gone". Seen: undefined (check "get: gone after a deletion", seed 41)',
  } satisfies Partial<ConformanceError>);
});

test('what a source throws where it has to answer is a failure, too, and its cause is kept', async () => {
  const cause = new TypeError('no such table');
  const [check] = recordSourceChecks(target(() => ({ head: () => Promise.reject(cause) })));
  await expect(check?.run()).rejects.toMatchObject({
    message: expect.stringContaining('No call may fail here. Seen: TypeError: no such table'),
    cause,
  });
});
