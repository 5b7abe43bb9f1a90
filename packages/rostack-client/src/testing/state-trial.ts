import type { JsonObject, JsonValue } from 'rostack-core';
import type { SeededRandom } from 'rostack-core/testing';
import { wantEqual } from 'rostack-core/testing';
import type { FollowState, StateScope, StateStore, StateUpdate, StoredRecord } from '../state/state-store.ts';
import type { StateStoreTarget } from './state-store-target.ts';

export const KEYS = [
  'a',
  'A',
  'a ',
  'b',
  'a/b',
  'a~b',
  '%',
  'é',
  'e\u0301',
  '한',
  '__proto__',
  'x'.repeat(100),
];

const IDS = [
  'a',
  'A',
  'a ',
  '10',
  '9',
  'é',
  'e\u0301',
  '한',
  '😀',
  '__proto__',
  'constructor',
  "it's",
  'x'.repeat(200),
];
const VALUES: readonly JsonValue[] = [
  null,
  true,
  0,
  0.1,
  1e21,
  2 ** 53 - 1,
  '',
  'null',
  '한글',
  '\u0000',
  [],
  {},
  [[1]],
];

/** What is expected under a key. */
interface Expected {
  readonly scope: StateScope;
  readonly cursor: string;
  readonly eventId: string | undefined;
  readonly records: ReadonlyMap<string, StoredRecord>;
}

/** An empty store under trial, with what it is expected to hold. */
export class StateTrial {
  readonly random: SeededRandom;
  readonly #ways: Ways;
  readonly #expected = new Map<string, Expected>();
  #count = 0;

  constructor(ways: Ways, random: SeededRandom) {
    this.#ways = ways;
    this.random = random;
  }

  get store(): StateStore {
    return this.#ways.store();
  }

  /** @returns the second store */
  openSecond(): Promise<StateStore> {
    return this.#ways.openSecond();
  }

  async closeSecond(): Promise<void> {
    await this.#ways.closeSecond();
  }

  async reopen(): Promise<void> {
    await this.#ways.reopen();
  }

  /** A state that differs from all before, with some records. */
  newState(): FollowState {
    const ids = this.random.some(IDS, 3, IDS.length);
    const { random } = this;
    return {
      scope: {
        implementationId: random.pick(['', 'i', '한']),
        apiVersion: '1',
        resource: random.pick(['stations', 'memos']),
        filter: random.oneIn(2) ? undefined : 'hash',
      },
      cursor: this.#next('c'),
      eventId: random.oneIn(2) ? undefined : this.#next('e'),
      records: ids.map((id) => this.#record(id)),
    };
  }

  newUpdate(kind: 'put' | 'remove' | 'bookmark'): StateUpdate {
    const cursor = this.#next('c');
    if (kind === 'bookmark') return { cursor, eventId: undefined };
    const id = this.random.pick(IDS);
    const change = kind === 'put' ? { put: this.#record(id) } : { remove: id };
    return { cursor, eventId: this.#next('e'), ...change };
  }

  async replace(key: string, state = this.newState()): Promise<void> {
    await this.store.replace(key, state);
    const { scope, cursor, eventId, records } = state;
    const byId = new Map(Array.from(records, (stored) => [stored.id, stored]));
    this.#expected.set(key, { scope, cursor, eventId, records: byId });
  }

  async update(key: string, update: StateUpdate): Promise<void> {
    await this.store.update(key, update);
    const before = this.#expected.get(key);
    if (before === undefined) return;
    const records = new Map(before.records);
    if (update.remove !== undefined) records.delete(update.remove);
    if (update.put !== undefined) records.set(update.put.id, update.put);
    this.#expected.set(key, { scope: before.scope, cursor: update.cursor, eventId: update.eventId, records });
  }

  async remove(key: string): Promise<void> {
    await this.store.remove(key);
    this.#expected.delete(key);
  }

  /** Wants every key to hold what is expected. */
  async wantAll(contract: string): Promise<void> {
    for (const key of new Set(['never', ...KEYS, ...this.#expected.keys()])) {
      const expected = this.#expected.get(key);
      const wanted = expected && plainState({ ...expected, records: expected.records.values() });
      wantEqual(plainState(await this.store.load(key)), wanted, `${contract} Key ${JSON.stringify(key)}.`);
    }
  }

  #record(id: string): StoredRecord {
    const { random } = this;
    const record: JsonObject = { id, value: random.pick(VALUES), n: random.integer(0, 1_000) };
    return { id, record, version: random.oneIn(3) ? undefined : this.#next('v') };
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }
}

/** A state as plain data, whose records are in the order of their ids. */
export function plainState(state: FollowState | undefined): object | undefined {
  if (state === undefined) return undefined;
  const { scope, cursor, eventId, records } = state;
  const sorted = [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    scope: {
      implementationId: scope.implementationId,
      apiVersion: scope.apiVersion,
      resource: scope.resource,
      filter: scope.filter,
    },
    cursor,
    eventId,
    records: sorted.map(({ id, version, record }) => ({ id, version, record })),
  };
}

/** A target that is open. */
interface Ways {
  readonly store: () => StateStore;
  readonly reopen: () => Promise<void>;
  readonly openSecond: () => Promise<StateStore>;
  readonly closeSecond: () => Promise<void>;
}

/** Opens a target for one trial, and closes it. */
export async function withStateTrial<T>(
  target: StateStoreTarget<T>,
  random: SeededRandom,
  attempt: (trial: StateTrial) => Promise<void>,
): Promise<void> {
  let opened = await target.open();
  let second: { readonly opened: T } | undefined;
  const closeSecond = async () => {
    const last = second;
    second = undefined;
    if (last !== undefined) await target.close?.(last.opened);
  };
  const ways: Ways = {
    store: () => target.store(opened),
    reopen: async () => {
      if (target.reopen !== undefined) opened = await target.reopen(opened);
    },
    openSecond: async () => {
      second = { opened: (await target.openSecond?.(opened)) ?? opened };
      return target.store(second.opened);
    },
    closeSecond,
  };
  try {
    await attempt(new StateTrial(ways, random));
  } finally {
    await closeSecond();
    await target.close?.(opened);
  }
}
