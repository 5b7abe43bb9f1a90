import {
  type ForeignResource,
  type ForeignStyle,
  type ForeignTransition,
  foreignIdOf,
  type JsonRecord,
} from './foreign-style.ts';

/** A change of one record, with its place in the log. */
export interface ForeignChange {
  readonly position: number;
  readonly resource: ForeignResource;
  readonly transition: ForeignTransition;
  readonly id: string;
  readonly before: JsonRecord | undefined;
  readonly after: JsonRecord | undefined;
}

/** The records of a stand-in and all their changes. */
export class ForeignLog {
  readonly #records = new Map<string, Map<string, JsonRecord>>();
  readonly changes: ForeignChange[] = [];
  readonly #listeners = new Set<(change: ForeignChange) => void>();

  constructor({ resources }: ForeignStyle) {
    for (const resource of resources) {
      const records = resource.records.map((record) => [foreignIdOf(record, resource), record] as const);
      this.#records.set(resource.name, new Map(records));
    }
  }

  get position(): number {
    return this.changes.length;
  }

  all({ name }: ForeignResource): ReadonlyMap<string, JsonRecord> {
    return this.#records.get(name) ?? new Map();
  }

  /** @param record undefined: deletes */
  write(resource: ForeignResource, id: string, record: JsonRecord | undefined): void {
    const records = this.#records.get(resource.name);
    const before = records?.get(id);
    if (record === undefined) records?.delete(id);
    else records?.set(id, record);
    const transition = record === undefined ? 'delete' : before === undefined ? 'create' : 'update';
    const change = { position: this.position + 1, resource, transition, id, before, after: record } as const;
    this.changes.push(change);
    for (const listener of this.#listeners) listener(change);
  }

  listen(listener: (change: ForeignChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** A position of the log, as a cursor of one resource and one principal. */
export const eventCursor = (position: number, { name }: ForeignResource, principal: string): string =>
  `${position}:${name}:${principal}`;
