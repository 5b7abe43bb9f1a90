import type { Database } from '../database/database.ts';
import type { HintBus } from '../hints/hint-bus.ts';

/** Who wants to know that a resource's head may have moved. */
export class Watchers {
  readonly #database: Database;
  readonly #bus: HintBus | undefined;
  readonly #onBusFailure: (error: unknown) => void;
  readonly #byResource = new Map<string, Set<() => void>>();
  #stopListening: (() => void) | undefined;

  constructor(database: Database, bus: HintBus | undefined, onBusFailure: (error: unknown) => void) {
    this.#database = database;
    this.#bus = bus;
    this.#onBusFailure = onBusFailure;
  }

  /** Adds a watcher; the database is watched for as long as there is one. Returns how to stop. */
  add(resource: string, onMoved: () => void): () => void {
    const watchers = this.#byResource.get(resource) ?? new Set();
    this.#byResource.set(resource, watchers);
    // A function of its own, so that the same callback can watch twice.
    const watcher = () => {
      onMoved();
    };
    watchers.add(watcher);
    this.#stopListening ??= this.#listen();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#byResource.delete(resource);
      if (this.#byResource.size === 0) this.close();
    };
  }

  notify(resources: readonly string[]): void {
    for (const resource of resources) {
      for (const watcher of this.#byResource.get(resource) ?? []) watcher();
    }
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #listen(): () => void {
    const onHint = (resources: readonly string[] | undefined) => {
      this.notify(resources ?? [...this.#byResource.keys()]);
    };
    const stopDatabase = this.#database.watch(onHint);
    const stopBus = this.#bus?.subscribe(onHint, this.#onBusFailure);
    return () => {
      stopDatabase();
      stopBus?.();
    };
  }
}
