import type { Database } from '../database/database.ts';

/** Who wants to know that a resource's head may have moved. */
export class Watchers {
  readonly #database: Database;
  readonly #byResource = new Map<string, Set<() => void>>();
  #stopDatabase: (() => void) | undefined;

  constructor(database: Database) {
    this.#database = database;
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
    this.#stopDatabase ??= this.#database.watch((resources) => {
      this.notify(resources ?? [...this.#byResource.keys()]);
    });
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
    this.#stopDatabase?.();
    this.#stopDatabase = undefined;
  }
}
