import { type IDBPDatabase, openDB } from 'idb';
import { aString } from 'rostack-core/client';
import { checkUsage, StateGoneError, UsageError } from '../http/error/errors.ts';
import type { FollowState, StateStore, StateUpdate, StoredRecord } from '../state/state-store.ts';
import { NoticeChannel } from './state-notice.ts';
import type { States } from './stored-states.ts';
import { checkLead, type TabLead, takeLead } from './tab-lead.ts';

/** A state, and how many steps led to it. */
export interface RevisedState extends FollowState {
  readonly revision: number;
}

/** Records of one transaction: small enough that other tabs need not wait long, and memory stays bounded. */
const BATCH = 5_000;

/**
 * Keeps states in IndexedDB, so that a page continues where it was after a reload. Needs `indexedDB`, `BroadcastChannel` and, to keep tabs
 * apart, `navigator.locks`; these are in every current browser, the last one only in secure contexts.
 */
export class IndexedDbStateStore implements StateStore {
  readonly name: string;
  #opening: Promise<IDBPDatabase<States>>;
  #isClosed = false;

  /**
   * @param name of the database @default 'rostack-client'
   * @throws UsageError `invalid_options`, also if there is no IndexedDB
   */
  constructor(name = 'rostack-client') {
    checkUsage(aString, name, 'name');
    if (!('indexedDB' in globalThis)) {
      throw new UsageError(
        'there is no indexedDB here: use a store of another kind, such as MemoryStateStore',
      );
    }
    this.name = name;
    this.#opening = openStates(name);
  }

  /** Also returns the number of steps that led to the state. */
  load(key: string): Promise<RevisedState | undefined> {
    return this.#attempt((database) => this.#load(database, key));
  }

  async #load(database: IDBPDatabase<States>, key: string): Promise<RevisedState | undefined> {
    const transaction = database.transaction(['states', 'records']);
    const header = await transaction.objectStore('states').get(key);
    if (header === undefined) return undefined;
    const { generation, size, ...state } = header;
    const stored = transaction.objectStore('records');
    const records: StoredRecord[] = [];
    let range = recordsOf(key, generation);
    for (;;) {
      const batch = await stored.getAll(range, BATCH);
      for (const record of batch) records.push(record);
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) {
        if (records.length === (size ?? records.length)) return { ...state, records };
        throw new StateGoneError(`${records.length} of ${size} records are left under the key ${key}`);
      }
      range = recordsOf(key, generation, last.id);
    }
  }

  /**
   * Writes in batches, each in its own transaction. The last transaction makes the new records those of the state.
   * @param lead of the tab that writes: once another tab has taken it, nothing is written @default none
   */
  async replace(
    key: string,
    { scope, cursor, eventId, records }: FollowState,
    lead?: TabLead,
  ): Promise<void> {
    const opening = this.#opening;
    const header = await this.#attempt((database) => database.get('states', key));
    const generation = (header?.generation ?? 0) + 1;
    // Left by a page that died in the middle of a replace.
    await this.#attempt(async (database) => {
      const transaction = database.transaction(['states', 'records'], 'readwrite');
      await checkLead(transaction.objectStore('states'), lead);
      void transaction.objectStore('records').delete(recordsOf(key, generation));
      await transaction.done;
    });
    let batch: StoredRecord[] = [];
    let size = 0;
    const write = async (): Promise<void> => {
      await this.#attempt(async (database) => {
        const transaction = database.transaction(['states', 'records'], 'readwrite');
        await checkLead(transaction.objectStore('states'), lead);
        const stored = transaction.objectStore('records');
        for (const record of batch) void stored.put(record, [key, generation, record.id]);
        await transaction.done;
      });
      size += batch.length;
      batch = [];
    };
    for (const stored of records) {
      batch.push(stored);
      if (batch.length === BATCH) await write();
    }
    await write();
    const revision = (header?.revision ?? Date.now()) + 1;
    await this.#attempt(async (database) => {
      const last = database.transaction(['states', 'records'], 'readwrite');
      await checkLead(last.objectStore('states'), lead);
      const stored = last.objectStore('records');
      // The data may have been cleared while the database was closed.
      if (this.#opening !== opening && (await stored.count(recordsOf(key, generation))) !== size) {
        await last.done;
        throw new StateGoneError(
          `the browser cleared the records under the key ${key} while they were written`,
        );
      }
      void last.objectStore('states').put({ scope, cursor, eventId, generation, revision, size }, key);
      if (header !== undefined) void stored.delete(recordsOf(key, header.generation));
      await last.done;
    });
    this.#tell(key, revision, undefined);
  }

  /** @param lead as in `replace` @default none */
  async update(key: string, update: StateUpdate, lead?: TabLead): Promise<void> {
    const revision = await this.#attempt((database) => this.#update(database, key, update, lead));
    this.#tell(key, revision, update);
  }

  /** @returns the new revision */
  async #update(
    database: IDBPDatabase<States>,
    key: string,
    update: StateUpdate,
    lead: TabLead | undefined,
  ): Promise<number> {
    const { cursor, eventId, put, remove } = update;
    const transaction = database.transaction(['states', 'records'], 'readwrite');
    const states = transaction.objectStore('states');
    await checkLead(states, lead);
    const header = await states.get(key);
    if (header === undefined) {
      await transaction.done;
      throw new StateGoneError(`there is no state under the key ${key}`);
    }
    const { scope, generation } = header;
    const revision = header.revision + 1;
    const records = transaction.objectStore('records');
    let { size } = header;
    if (remove !== undefined) {
      if (size !== undefined) size -= await records.count([key, generation, remove]);
      void records.delete([key, generation, remove]);
    }
    if (put !== undefined) {
      if (size !== undefined) size += 1 - (await records.count([key, generation, put.id]));
      void records.put(put, [key, generation, put.id]);
    }
    void states.put({ scope, cursor, eventId, generation, revision, size }, key);
    await transaction.done;
    return revision;
  }

  /** @param lead as in `replace` @default none */
  async remove(key: string, lead?: TabLead): Promise<void> {
    const header = await this.#attempt(async (database) => {
      const transaction = database.transaction(['states', 'records'], 'readwrite');
      await checkLead(transaction.objectStore('states'), lead);
      const found = await transaction.objectStore('states').get(key);
      void transaction.objectStore('states').delete(key);
      void transaction.objectStore('records').delete(IDBKeyRange.bound([key], [key, []]));
      await transaction.done;
      return found;
    });
    if (header !== undefined) this.#tell(key, header.revision + 1, undefined);
  }

  /** The lead of a key, for a tab that holds it from now on: what tabs that led before it write is refused. */
  lead(key: string): Promise<TabLead> {
    return this.#attempt((database) => takeLead(database, key));
  }

  /**
   * Takes a lock of the browser, which is released when the page goes away.
   * @param isTaken takes it from whoever has it: for a tab that leads in the place of one that is suspended @default false
   */
  async claim(key: string, isTaken = false): Promise<(() => void) | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<(() => void) | undefined>();
    navigator.locks
      .request(
        `rostack-client:${this.name}:${key}`,
        isTaken ? { steal: true } : { ifAvailable: true },
        (lock) => {
          if (lock === null) {
            resolve(undefined);
            return undefined;
          }
          return new Promise<void>((release) => resolve(release));
        },
      )
      .catch(reject);
    return promise;
  }

  /** Closes the database. Close the follows that use it first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    (await this.#opening).close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Does something in the database; if the browser has closed it, opens it and does it once more. */
  async #attempt<R>(action: (database: IDBPDatabase<States>) => Promise<R>): Promise<R> {
    const opening = this.#opening;
    try {
      return await action(await opening);
    } catch (error) {
      if (this.#isClosed || !isConnectionFault(error)) throw error;
      if (this.#opening === opening) {
        this.#opening = openStates(this.name);
        void opening.then(
          (database) => database.close(),
          () => {},
        );
      }
      return this.#opening.then(action).catch((cause: unknown) => {
        if (!isConnectionFault(cause)) throw cause;
        throw new StateGoneError(`the browser does not read the database ${this.name}`, { cause });
      });
    }
  }

  #tell(key: string, revision: number, update: StateUpdate | undefined): void {
    const channel = new NoticeChannel(this.name, key);
    channel.send({ kind: 'stored', revision, update });
    channel.close();
  }
}

function openStates(name: string): Promise<IDBPDatabase<States>> {
  const opening = openDB<States>(name, 1, {
    upgrade(database) {
      database.createObjectStore('states');
      database.createObjectStore('records');
    },
    // A page with a newer release must not wait for this one.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
  opening.catch(() => {});
  return opening;
}

/** The browser closed the database, or could not read it, which another connection may. */
const isConnectionFault = (error: unknown): boolean =>
  error instanceof DOMException && CONNECTION_FAULTS.has(error.name);

/** The last one is of a record whose file is missing. */
const CONNECTION_FAULTS = new Set(['InvalidStateError', 'UnknownError', 'AbortError', 'NotReadableError']);

/** The records of a generation, from the start or after an id. IndexedDB sorts arrays after all texts. */
const recordsOf = (key: string, generation: number, afterId?: string): IDBKeyRange =>
  afterId === undefined
    ? IDBKeyRange.bound([key, generation], [key, generation, []])
    : IDBKeyRange.bound([key, generation, afterId], [key, generation, []], true);
