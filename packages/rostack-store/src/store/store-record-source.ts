import {
  aFunction,
  type Change,
  type Collation,
  type Collations,
  type CommittedChanges,
  collatedOperand,
  collationKey,
  type EventPosition,
  type Filter,
  type Head,
  isLogHole,
  isPositionExpired,
  NextReads,
  type Page,
  type PageQuery,
  type Position,
  type RecordSource,
  type StoredRecord,
} from 'rostack-core';
import type { Database } from '../drivers/database.ts';
import type { StoreAlarm } from '../errors/index.ts';
import { readChanges } from '../log/read-changes.ts';
import { type HeadReads, type HeadRow, headQuery, tagIn } from '../log/read-head.ts';
import { ReplicaProgress } from '../log/replica/replica-progress.ts';
import type { Watchers } from '../log/watch/watchers.ts';
import { explainPage, type PageExplanation } from '../page/explain-page.ts';
import type { PageLimits } from '../page/plan/page-limits.ts';
import { type PageReading, PathStats } from '../page/plan/page-plan.ts';
import { readPage } from '../page/read-page.ts';
import { readRecord } from '../page/read-record.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import { checkOption } from './options/check-option.ts';
import type { StoreRole } from './store-options.ts';

export interface SourceDependencies {
  readonly database: Database;
  readonly headReads: HeadReads;
  readonly watchers: Watchers;
  readonly pageTimeoutMs: number;
  readonly pageLimits: PageLimits;
  readonly onAlarm: (alarm: StoreAlarm) => void;
  readonly role: StoreRole;
}

/** One resource of a store. */
export class StoreRecordSource implements RecordSource {
  /** Only for a replica. */
  readonly waitForPosition?: (place: EventPosition) => Promise<void>;
  readonly #target: StoredResource;
  readonly #dependencies: SourceDependencies;
  readonly #reading: PageReading;
  /** Undefined for a store that is not a replica. */
  #progress: ReplicaProgress | undefined;
  /** The database is asked once for all who ask meanwhile. */
  readonly #heads = new NextReads<'head', Head>(() => this.#dependencies.headReads.read(this.#target));

  constructor(target: StoredResource, dependencies: SourceDependencies) {
    this.#target = target;
    this.#dependencies = dependencies;
    const { database, role, pageTimeoutMs: timeoutMs, pageLimits: limits } = dependencies;
    if (role === 'replica') {
      const progress = new ReplicaProgress(database, target, timeoutMs);
      this.#progress = progress;
      this.waitForPosition = (place) => progress.reach(place, (position) => this.#readTag(position));
    }
    this.#reading = { pathStats: new PathStats(), timeoutMs, limits };
  }

  head(): Promise<Head> {
    return this.#heads.ask('head');
  }

  page(query: PageQuery): Promise<Page> {
    const keyed = keyedQuery(query, this.#target);
    const read = () => readPage(this.#dependencies.database, this.#target, keyed, this.#reading);
    return query.at === undefined ? read() : this.#readAt(query.at, read);
  }

  /** Reads a page and explains how. */
  explain(query: PageQuery): Promise<PageExplanation> {
    const keyed = keyedQuery(query, this.#target);
    return explainPage(this.#dependencies.database, this.#target, keyed, this.#reading);
  }

  /** @throws StoreOptionsError if `visible` names a field that the resource was not opened with */
  get(id: string, visible?: Filter): Promise<StoredRecord | 'gone' | undefined> {
    return readRecord(
      this.#dependencies.database,
      this.#target,
      id,
      visible && keyedFilter(visible, this.#target),
    );
  }

  async tagAt(position: Position): Promise<string | undefined> {
    const tag = await this.#readTag(position);
    if (tag !== undefined || this.#progress === undefined) return tag;
    await this.#progress.check(position);
    return this.#readTag(position);
  }

  async read(after: Position, limit: number, tag?: string): Promise<readonly Change[]> {
    const { database, onAlarm } = this.#dependencies;
    try {
      return await this.#readAt(after, () =>
        database.transaction(() => readChanges(database.dialect, this.#target, after, limit, tag)),
      );
    } catch (error) {
      if (isLogHole(error)) {
        onAlarm({ code: 'log_hole', message: error.message, resource: error.resource, cause: error });
      }
      throw error;
    }
  }

  watch(onMoved: (committed?: CommittedChanges) => void): () => void {
    checkOption(aFunction, onMoved, 'onMoved');
    return this.#dependencies.watchers.add(this.#target.resource.name, onMoved);
  }

  async #readTag(position: Position): Promise<string | undefined> {
    const { database } = this.#dependencies;
    const query = headQuery(database.dialect, this.#target.tables, position);
    const [row] = await database.query<HeadRow>(query);
    return tagIn(row, position, this.#target);
  }

  /** Reads as of a position. On a replica, a position that it has not reached yet does not count as expired. */
  async #readAt<T>(position: Position, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (this.#progress === undefined || !isPositionExpired(error)) throw error;
      await this.#progress.check(position);
      return read();
    }
  }
}

/** The same query; what it compares strings with that have a collation are texts that compare as their keys do. */
export function keyedQuery(query: PageQuery, target: StoredResource): PageQuery {
  const collations = collationsOf(target);
  if (collations === undefined) return query;
  const { filter, after, sort } = query;
  return {
    ...query,
    filter: filter && keyed(filter, collations),
    after: after && {
      ...after,
      values: after.values.map((value, index) => {
        const collation = collations.get(sort[index]?.pointer ?? '');
        return typeof value === 'string' && collation !== undefined ? collationKey(collation, value) : value;
      }),
    },
  };
}

/** The same filter, as `keyedQuery` has it. */
export function keyedFilter(filter: Filter, target: StoredResource): Filter {
  const collations = collationsOf(target);
  return collations === undefined ? filter : keyed(filter, collations);
}

/** Undefined where no field has one. */
function collationsOf({ tables: { fields } }: StoredResource): Collations | undefined {
  const collations = fields.flatMap(({ pointer, collation }): [string, Collation][] =>
    collation === undefined ? [] : [[pointer, collation]],
  );
  return collations.length === 0 ? undefined : new Map(collations);
}

function keyed(filter: Filter, collations: Collations): Filter {
  switch (filter.kind) {
    case 'comparison': {
      const collation = collations.get(filter.pointer);
      return collation === undefined
        ? filter
        : { ...filter, operand: collatedOperand(filter.operand, collation) };
    }
    case 'not':
      return { kind: 'not', filter: keyed(filter.filter, collations) };
    default:
      return { kind: filter.kind, filters: filter.filters.map((part) => keyed(part, collations)) };
  }
}
