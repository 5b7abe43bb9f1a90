import { sql } from 'kysely';
import { type Head, type Position, PositionExpiredError, SourceUnavailableError } from 'rostack-core';
import { type Query, run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { DefinitionChangedError } from '../errors/index.ts';
import type { StoredResource } from '../schema/stored-resource.ts';
import type { ResourceTables } from '../schema/tables.ts';
import { tagOf } from './version.ts';

interface HeadRow extends Omit<Head, 'tag'> {
  readonly is_known: boolean | 0 | 1;
  /** Of the newest change that is in the log. */
  readonly version: string | null;
}

/** A position that is asked for, and the tag it is to have, if that is known. */
export interface Place {
  readonly at: Position;
  readonly tag: string | undefined;
}

/**
 * Where the resource's log stands in this snapshot.
 * @throws SourceUnavailableError when another process has changed the resource's indexed fields
 */
export function* readHead(dialect: Dialect, target: StoredResource): Work<Head> {
  const [row] = yield* run<HeadRow>(queriesFor(dialect, target.tables).head);
  return toHead(row, target);
}

/** The tag of a position in this snapshot; undefined below the floor and beyond the head. Throws as `readHead` does. */
export function* readTag(dialect: Dialect, target: StoredResource, at: Position): Work<string | undefined> {
  return (yield* readHeadAndTag(dialect, target, at)).tag;
}

/**
 * Where the resource's log stands, once it is sure that it and the past versions still answer for a place.
 * @throws PositionExpiredError when the place lies below the floor or beyond the head, or is of another history
 * @throws SourceUnavailableError as `readHead`
 */
export function* headFor(dialect: Dialect, target: StoredResource, place: Place): Work<Head> {
  if (place.tag === undefined) {
    const head = yield* readHead(dialect, target);
    checkPosition(place.at, head);
    return head;
  }
  const { head, tag } = yield* readHeadAndTag(dialect, target, place.at);
  checkPosition(place.at, head);
  if (tag === place.tag) return head;
  throw new PositionExpiredError(
    `position ${place.at} is of a history that the database no longer has: take a new snapshot`,
  );
}

/** @throws PositionExpiredError when a position lies below the floor, or beyond the head (then it is of another history) */
export function checkPosition(position: Position, head: Head): void {
  if (position < head.floor) {
    throw new PositionExpiredError(
      `position ${position} lies below the floor ${head.floor}: take a new snapshot`,
    );
  }
  if (position > head.position) {
    throw new PositionExpiredError(
      `position ${position} lies beyond the head ${head.position}: take a new snapshot`,
    );
  }
}

function* readHeadAndTag(
  dialect: Dialect,
  target: StoredResource,
  at: Position,
): Work<{ readonly head: Head; readonly tag: string | undefined }> {
  const { headAndTag } = queriesFor(dialect, target.tables);
  const [row] = yield* run<HeadRow & { readonly version_at: string | null }>({
    ...headAndTag,
    parameters: [at, ...headAndTag.parameters.slice(1)],
  });
  const head = toHead(row, target);
  const isKept = at >= head.floor && at <= head.position;
  return { head, tag: isKept ? tagOf(row?.version_at ?? '') : undefined };
}

function toHead(row: HeadRow | undefined, { resource }: StoredResource): Head {
  if (row === undefined || !row.is_known) {
    const cause = new DefinitionChangedError(resource.name);
    throw new SourceUnavailableError(cause.message, { cause });
  }
  const { position, floor, epoch, version } = row;
  return { position, floor, epoch, tag: tagOf(version ?? '') };
}

interface HeadQueries {
  readonly head: Query;
  /** Its first parameter is the position. */
  readonly headAndTag: Query & { readonly kind: 'once' };
}

const queries = new WeakMap<ResourceTables, HeadQueries>();

/** Every request reads a head, so its statements are written once. */
function queriesFor(dialect: Dialect, tables: ResourceTables): HeadQueries {
  const known = queries.get(tables);
  if (known !== undefined) return known;
  const log = dialect.table(tables.log);
  const columns = sql`h.position, h.floor, h.fields = ${sql.lit(tables.fieldsText)} as is_known,
    (select epoch from ${dialect.table('state')}) as epoch, (select version from ${log} where position = h.position) as version`;
  const from = sql`from ${dialect.table('head')} as h where h.number = ${tables.number}`;
  const made = {
    head: once(dialect, sql`select ${columns} ${from}`),
    headAndTag: once(
      dialect,
      sql`select (select version from ${log} where position = ${0}) as version_at, ${columns} ${from}`,
    ),
  };
  queries.set(tables, made);
  return made;
}
