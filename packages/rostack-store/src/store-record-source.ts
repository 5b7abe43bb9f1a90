import {
  aFunction,
  type Change,
  type Head,
  joinBodies,
  LogHoleError,
  type Page,
  type PageQuery,
  type Position,
  type RecordSource,
  type StoredRecord,
} from 'rostack-core';
import type { Database } from './database/database.ts';
import { readChanges } from './log/read-changes.ts';
import { headFor, readHead, readTag } from './log/read-head.ts';
import { readRecord } from './log/read-record.ts';
import { checkOption } from './options/check-option.ts';
import type { PageLimits } from './page/page-limits.ts';
import { readPage } from './page/read-page.ts';
import type { StoredResource } from './schema/stored-resource.ts';
import type { StoreAlarm } from './store-options.ts';
import type { Watchers } from './watch/watchers.ts';

export interface SourceDependencies {
  readonly database: Database;
  readonly watchers: Watchers;
  readonly pageTimeoutMs: number;
  readonly pageLimits: PageLimits;
  readonly onAlarm: (alarm: StoreAlarm) => void;
}

/** One resource of a store. */
export class StoreRecordSource implements RecordSource {
  readonly #target: StoredResource;
  readonly #dependencies: SourceDependencies;

  constructor(target: StoredResource, dependencies: SourceDependencies) {
    this.#target = target;
    this.#dependencies = dependencies;
  }

  head(): Promise<Head> {
    const { database } = this.#dependencies;
    return database.ask(() => readHead(database.dialect, this.#target));
  }

  async page(query: PageQuery): Promise<Page> {
    const { database, pageTimeoutMs, pageLimits } = this.#dependencies;
    const head = await this.#headFor(query);
    const place = query.at === undefined ? { at: head.position, tag: head.tag } : { at: query.at };
    const asked = { ...query, ...place };
    const { records, next } = await readPage(database, this.#target, asked, pageTimeoutMs, pageLimits);
    return { head, bodies: joinBodies(records.map(({ body }) => body)), next };
  }

  #headFor({ at, tag }: PageQuery): Promise<Head> {
    const { database } = this.#dependencies;
    if (at === undefined) return this.head();
    return database.ask(() => headFor(database.dialect, this.#target, { at, tag }));
  }

  get(id: string): Promise<StoredRecord | 'gone' | undefined> {
    const { database } = this.#dependencies;
    return database.read(() => readRecord(database.dialect, this.#target, id));
  }

  tagAt(position: Position): Promise<string | undefined> {
    const { database } = this.#dependencies;
    return database.ask(() => readTag(database.dialect, this.#target, position));
  }

  async read(after: Position, limit: number, tag?: string): Promise<readonly Change[]> {
    const { database, onAlarm } = this.#dependencies;
    try {
      return await database.read(() => readChanges(database.dialect, this.#target, after, limit, tag));
    } catch (error) {
      if (error instanceof LogHoleError) {
        onAlarm({ code: 'log_hole', message: error.message, resource: error.resource, cause: error });
      }
      throw error;
    }
  }

  watch(onMoved: () => void): () => void {
    checkOption(aFunction, onMoved, 'onMoved');
    return this.#dependencies.watchers.add(this.#target.resource.name, onMoved);
  }
}
