import { type CommittedChanges, guardObserver, ignoreRejection } from 'rostack-core';
import type { Database } from '../../drivers/database.ts';
import type { HintBus } from '../hints/hint-bus.ts';
import type { MovedLog } from './moved-log.ts';

type Watcher = (committed?: CommittedChanges) => void;

/** The callbacks to call when a resource's head may have moved. */
export class Watchers {
  readonly #database: Database;
  readonly #bus: HintBus | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #byResource = new Map<string, Set<Watcher>>();
  #stopListening: (() => void) | undefined;

  constructor(database: Database, bus: HintBus | undefined, onFailure: (error: unknown) => void) {
    this.#database = database;
    this.#bus = bus;
    this.#onFailure = onFailure;
  }

  /** Adds a watcher; the database is watched while there is at least one. Returns a function that removes it. */
  add(resource: string, onMoved: Watcher): () => void {
    const watchers = this.#byResource.get(resource) ?? new Set();
    this.#byResource.set(resource, watchers);
    // A new function, so that the same callback can watch twice. If it throws, the other watchers are still called.
    const watcher = guardObserver(onMoved, this.#onFailure);
    watchers.add(watcher);
    this.#stopListening ??= this.#listen();
    return () => {
      // A second call must not remove those who have come since.
      if (!watchers.delete(watcher)) return;
      if (watchers.size === 0) this.#byResource.delete(resource);
      if (this.#byResource.size === 0) this.close();
    };
  }

  notify(resources: readonly string[]): void {
    this.tell(resources.map((resource) => ({ resource, committed: undefined })));
  }

  /** Notifies of what this process has committed. */
  tell(logs: readonly MovedLog[]): void {
    for (const { resource, committed } of logs) {
      for (const watcher of this.#byResource.get(resource) ?? []) watcher(committed);
    }
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Notifies the other processes over the bus, if there is one. */
  publish(resources: readonly string[]): void {
    const bus = this.#bus;
    if (bus !== undefined) guardObserver(() => bus.publish(resources), this.#onFailure)();
  }

  #listen(): () => void {
    const onHint = (resources: unknown) => {
      const isNamed = Array.isArray(resources);
      this.notify(isNamed ? (resources as readonly string[]) : [...this.#byResource.keys()]);
    };
    const stopDatabase = this.#database.watch(onHint);
    const stopBus = this.#subscribe(onHint);
    return () => {
      stopDatabase();
      stopBus();
    };
  }

  /** If the bus fails, polling remains. */
  #subscribe(onHint: (resources: readonly string[] | undefined) => void): () => void {
    try {
      const stop: unknown = this.#bus?.subscribe(onHint, this.#onFailure);
      if (typeof stop === 'function') return guardObserver(stop as () => unknown, this.#onFailure);
      ignoreRejection(stop, () => {});
      if (this.#bus !== undefined)
        this.#onFailure(new Error('subscribe of the hint bus returned no function'));
    } catch (error) {
      this.#onFailure(error);
    }
    return () => {};
  }
}
