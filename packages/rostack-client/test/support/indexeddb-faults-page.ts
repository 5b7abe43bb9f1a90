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
};

export type FaultsApi = typeof page;

Object.assign(globalThis, { page });
