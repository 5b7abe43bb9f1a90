/// <reference lib="dom" />
import { IndexedDbStateStore } from '../../src/browser/index.ts';

const STATE = {
  scope: { implementationId: 'test', apiVersion: '1', resource: 'stations', filter: undefined },
  cursor: 'before',
  eventId: undefined,
  records: [],
};

/** Lets the next transaction of any connection do something else first. */
function beforeNextTransaction(action: (database: IDBDatabase) => void): void {
  const own = Object.getOwnPropertyDescriptor(IDBDatabase.prototype, 'transaction') as PropertyDescriptor;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...options) {
    Object.defineProperty(IDBDatabase.prototype, 'transaction', own);
    action(this);
    return this.transaction(...options);
  };
}

const page = {
  /** The cursor after an update whose first transaction fails, or the name of the error that ends it. */
  async updateAfter(name: string): Promise<string> {
    const store = new IndexedDbStateStore(name);
    await store.replace('key', STATE);
    beforeNextTransaction(() => {
      throw new DOMException('made by a test', name);
    });
    try {
      await store.update('key', { cursor: 'after', eventId: undefined });
      return (await store.load('key'))?.cursor ?? 'none';
    } catch (error) {
      return (error as Error).name;
    } finally {
      await store.close();
    }
  },

  /** The cursor that is loaded when the connection has been closed under the store. */
  async loadAfterClose(): Promise<string | undefined> {
    const store = new IndexedDbStateStore('closed');
    await store.replace('key', STATE);
    beforeNextTransaction((database) => database.close());
    return (await store.load('key'))?.cursor;
  },

  /** What an older lead's writes end with once there is a newer lead, and the cursor that is left. */
  async writesOfOldLead(): Promise<string[]> {
    await using store = new IndexedDbStateStore('led');
    const [old, now] = [await store.lead('key'), await store.lead('key')];
    await store.replace('key', STATE, now);
    const step = { cursor: 'after', eventId: undefined };
    const ended = await Promise.allSettled([
      store.replace('key', { ...STATE, cursor: 'old' }, old),
      store.update('key', step, old),
      store.remove('key', old),
      store.update('key~beside', step, old),
    ]);
    const codes = ended.map((one) => (one.status === 'rejected' ? String(one.reason.code) : one.status));
    return [...codes, (await store.load('key'))?.cursor ?? 'none'];
  },
};

export type FaultsApi = typeof page;

Object.assign(globalThis, { page });
