import { type Head, type Position, PositionExpiredError, SourceUnavailableError } from 'rostack-core';
import { type Database, run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { MAX_JOINED_SELECTS, type Once, once, type Sql, sql } from '../drivers/dialect/sql.ts';
import { DefinitionChangedError } from '../errors/index.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { ResourceTables } from '../schema/tables.ts';

/** 48 random bits in base64url. */
const TAG_LENGTH = 8;

/** A tag for one transaction. @param randomId as in the store's options */
export function newTag(randomId: () => string): string {
  return randomId().slice(-TAG_LENGTH);
}

/** The version that a change writes: epoch "-" position "." tag. Versions written by releases without tags have no third part. */
export function versionOf(epoch: string, position: Position, tag: string): string {
  return `${epoch}-${position}.${tag}`;
}

/** The tag of the transaction that wrote a version; empty if there is none. Neither epochs nor tags contain a full stop. */
export function tagOf(version: string): string {
  const stop = version.indexOf('.');
  return stop === -1 ? '' : version.slice(stop + 1);
}

/** What a statement reads about the head; see `headColumns`. */
export interface HeadRow extends Omit<Head, 'tag'> {
  readonly is_known: boolean | 0 | 1;
  /** Version of the newest change in the log. */
  readonly version: string | null;
  /** Version of the change at the requested position. */
  readonly version_at: string | null;
}

/** A requested position, and the tag that it must have, if known. */
export interface Place {
  readonly at: Position;
  readonly tag: string | undefined;
}

/** The columns of a `HeadRow`, of the resource's row `h` of `head`. */
export function headColumns(dialect: Dialect, tables: ResourceTables, at: Position | undefined): Sql {
  const columns = newestColumns(dialect, tables);
  if (at === undefined) return sql`null as version_at, ${columns}`;
  return sql`(select version from ${dialect.table(tables.log)} where position = ${at}) as version_at, ${columns}`;
}

const newestOf = new WeakMap<ResourceTables, Sql>();

/** Built only once, because they are part of every page's statement. */
function newestColumns(dialect: Dialect, tables: ResourceTables): Sql {
  const written = newestOf.get(tables);
  if (written !== undefined) return written;
  const log = dialect.table(tables.log);
  const columns = sql`h.position, h.floor, h.fields = ${sql.lit(tables.fieldsText)} as is_known,
    (select epoch from ${dialect.table('state')}) as epoch, (select version from ${log} where position = h.position) as version`;
  newestOf.set(tables, columns);
  return columns;
}

/** The resource's row of `head`, as `h`. */
export function headTable(
  dialect: Dialect,
  { number }: ResourceTables,
): { readonly from: Sql; readonly where: Sql } {
  return { from: sql`${dialect.table('head')} as h`, where: sql`h.number = ${sql.lit(number)}` };
}

/**
 * The current head of the resource's log.
 * @throws SourceUnavailableError if another process has changed the resource's indexed fields
 */
export function headOf(row: HeadRow | undefined, { resource }: StoredResource): Head {
  if (row === undefined || !row.is_known) {
    const cause = new DefinitionChangedError(resource.name);
    throw new SourceUnavailableError(cause.message, { cause });
  }
  const { position, floor, epoch, version } = row;
  return { position, floor, epoch, tag: tagOf(version ?? '') };
}

/** The tag of the requested position; undefined below the floor and beyond the head. Throws as `headOf` does. */
export function tagIn(row: HeadRow | undefined, at: Position, target: StoredResource): string | undefined {
  const { floor, position } = headOf(row, target);
  return at >= floor && at <= position ? tagOf(row?.version_at ?? '') : undefined;
}

/**
 * The current head of the resource's log, after checking that the log and the past versions still cover a place, if there is one.
 * @param row read with the place's position
 * @throws PositionExpiredError if the place is below the floor or beyond the head, or belongs to another history
 * @throws SourceUnavailableError as `headOf`
 */
export function headFor(
  row: HeadRow | undefined,
  { at, tag }: { readonly [Member in keyof Place]?: Place[Member] | undefined },
  target: StoredResource,
): Head {
  const head = headOf(row, target);
  if (at === undefined) return head;
  checkPosition(at, head);
  if (tag === undefined || tagIn(row, at, target) === tag) return head;
  throw new PositionExpiredError(
    `position ${at} is of a history that the database no longer has: take a new snapshot`,
  );
}

/** @throws PositionExpiredError if a position is below the floor, or beyond the head (then it belongs to another history) */
export function checkPosition(position: Position, head: Head): void {
  if (position < head.floor) {
    throw new PositionExpiredError(
      `position ${position} is below the floor ${head.floor}: take a new snapshot`,
    );
  }
  if (position > head.position) {
    throw new PositionExpiredError(
      `position ${position} is beyond the head ${head.position}: take a new snapshot`,
    );
  }
}

/** Reads the head inside a unit of work. Throws as `headFor` does. */
export function* readHead(dialect: Dialect, target: StoredResource, place?: Place): Work<Head> {
  const [row] = yield* run<HeadRow>(headQuery(dialect, target.tables, place?.at));
  return headFor(row, place ?? {}, target);
}

const newest = new WeakMap<ResourceTables, Once>();

/** @param at a position whose version is read too */
export function headQuery(dialect: Dialect, tables: ResourceTables, at?: Position): Once {
  const known = at === undefined ? newest.get(tables) : undefined;
  if (known !== undefined) return known;
  const { from, where } = headTable(dialect, tables);
  const query = once(dialect, sql`select ${headColumns(dialect, tables, at)} from ${from} where ${where}`);
  // Every request reads the newest head, so its statement is built only once.
  if (at === undefined) newest.set(tables, query);
  return query;
}

interface Asked {
  readonly target: StoredResource;
  readonly resolve: (head: Head | Promise<Head>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Reads heads: all that are requested in one turn with one statement, so that checking all resources takes one query. */
export class HeadReads {
  readonly #database: Database;
  #asked: Asked[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws as `headOf` does. */
  read(target: StoredResource): Promise<Head> {
    const { promise, resolve, reject } = Promise.withResolvers<Head>();
    this.#asked.push({ target, resolve, reject });
    if (this.#asked.length === 1) queueMicrotask(() => this.#readAsked());
    return promise;
  }

  #readAsked(): void {
    const asked = this.#asked;
    this.#asked = [];
    for (let start = 0; start < asked.length; start += MAX_JOINED_SELECTS)
      void this.#readTogether(asked.slice(start, start + MAX_JOINED_SELECTS));
  }

  async #readTogether(asked: readonly Asked[]): Promise<void> {
    const [first, ...others] = asked;
    if (first === undefined) return;
    if (others.length === 0) {
      first.resolve(this.#readOne(first.target));
      return;
    }
    const { dialect } = this.#database;
    const selects = asked.map(({ target }) => {
      const { from, where } = headTable(dialect, target.tables);
      return sql`select h.number, ${headColumns(dialect, target.tables, undefined)} from ${from} where ${where}`;
    });
    try {
      const rows = await this.#database.query<HeadRow & { readonly number: number }>(
        once(dialect, sql.join(selects, ' union all ')),
      );
      const byNumber = new Map(rows.map((row) => [row.number, row]));
      for (const { target, resolve, reject } of asked) {
        try {
          resolve(headOf(byNumber.get(target.tables.number), target));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  async #readOne(target: StoredResource): Promise<Head> {
    const [row] = await this.#database.query<HeadRow>(headQuery(this.#database.dialect, target.tables));
    return headOf(row, target);
  }
}
