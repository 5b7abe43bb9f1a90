import { type ClientOptions, connect, type StateStore } from 'rostack-client';
import {
  IndexedDbStateStore,
  type TabChange,
  TabFollow,
  type TabFollowOptions,
} from 'rostack-client/browser';

export type TabView = Pick<TabFollowOptions, 'resource' | 'sort' | 'limit' | 'margin' | 'fields'>;

/** What the test calls in a tab. */
export interface TabsApi {
  /** @param followed @default all stations */
  start(url: string, token: string, followed?: TabView): void;
  isLeader(): boolean;
  /** Kinds of the changes so far, with the ids or the reason. */
  changes(): string[];
  size(): number;
  /** The records as they are shown. */
  records(): Row[];
  failure(): string | undefined;
  /** Removes what the database holds, as far as its key ends so. */
  forget(ending: string): Promise<void>;
  /** Removes all records, and keeps what there is to say about them. */
  forgetRecords(): Promise<void>;
  /** Connections to the gateway that this tab has opened. */
  connections(): number;
  /** Clients of this tab that were not closed. */
  clients(): number;
}

export interface Row {
  readonly id: string;
}

const store = new IndexedDbStateStore('stations');
const changes: string[] = [];
let follow: TabFollow<Row> | undefined;
let failure: string | undefined;
let connections = 0;
let clients = 0;

function describe(change: TabChange<Row>): string {
  if (change.kind === 'snapshot') return `${change.reason} ${change.records.size}`;
  return 'id' in change ? `${change.kind} ${change.id}` : change.kind;
}

/** Changes the database as no code of the client would. */
function inDatabase(change: (states: IDBObjectStore, records: IDBObjectStore) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('stations');
    opening.addEventListener('error', () => reject(new Error('the database was not opened')));
    opening.addEventListener('success', () => {
      const database = opening.result;
      const transaction = database.transaction(['states', 'records'], 'readwrite');
      change(transaction.objectStore('states'), transaction.objectStore('records'));
      transaction.addEventListener('complete', () => {
        database.close();
        resolve();
      });
    });
  });
}

const api: TabsApi = {
  start(url, token, followed = { resource: 'stations' }) {
    const options: ClientOptions = {
      bookmarkAfterMs: 0,
      onStatus: ({ kind }) => {
        if (kind === 'connected') connections += 1;
      },
    };
    follow = new TabFollow<Row>({
      store,
      ...followed,
      connect: async () => {
        const client = await connect(url, { method: 'shared_token', token }, options);
        clients += 1;
        const close = client.close.bind(client);
        client.close = async () => {
          await close();
          clients -= 1;
        };
        return client;
      },
    });
    follow
      .run((change) => {
        changes.push(describe(change));
      })
      .catch((error: unknown) => {
        failure = String(error);
      });
  },
  isLeader: () => follow?.isLeader ?? false,
  changes: () => changes,
  records: () => [...(follow?.records.values() ?? [])],
  size: () => follow?.records.size ?? 0,
  failure: () => failure,
  forget: (ending) =>
    inDatabase((states) => {
      const all = states.getAllKeys();
      all.addEventListener('success', () => {
        for (const key of all.result) if (typeof key === 'string' && key.endsWith(ending)) states.delete(key);
      });
    }),
  forgetRecords: () => inDatabase((_states, records) => records.clear()),
  connections: () => connections,
  clients: () => clients,
};
Object.assign(globalThis, { tabs: api, store: store satisfies StateStore });
