import type { Position } from 'rostack-core';
import { receive, send, type Work } from '../../drivers/database.ts';
import type { Dialect } from '../../drivers/dialect/dialect.ts';
import type { Row } from '../../drivers/dialect/query.ts';
import { once, sql } from '../../drivers/dialect/sql.ts';
import { tagOf } from '../../log/read-head.ts';
import type { StoredResource } from '../../schema/stored-resource.ts';

/** Tags are read for at most this many heads, if requested. */
const MAX_TAGGED = 8;

/** The head of a log, which no other transaction moves until this one ends. */
export interface LockedHead {
  readonly name: string;
  readonly position: Position;
  /** Undefined if it was not read, or the head moved while this transaction waited for its lock. */
  readonly tag: string | undefined;
  readonly epoch: string;
  readonly fields: string;
}

interface HeadRow extends Row, Pick<LockedHead, 'name' | 'epoch' | 'fields'> {
  /** An application's connection may give wide integers as texts. */
  readonly position: Position | string;
  /** Version of the newest change; null also if the statement's snapshot is older than that change. */
  readonly version: string | null;
}

/**
 * Locks the heads of at least one log, in the order of their names. Returns the work that waits for the locks.
 * @param readsTags whether tags are read from the logs, for which an application's role may lack the privilege
 */
export function* lockHeads(
  dialect: Dialect,
  targets: readonly StoredResource[],
  readsTags: boolean,
): Work<() => Work<ReadonlyMap<string, LockedHead>>> {
  const names = targets.map(({ resource }) => resource.name);
  const head = dialect.table('head');
  const versions = targets
    .slice(0, MAX_TAGGED)
    .map(
      ({ tables }) =>
        sql`when ${sql.lit(tables.number)} then (select version from ${dialect.table(tables.log)} as l where l.position = ${head}.position)`,
    );
  const version = readsTags ? sql`case number ${sql.join(versions, ' ')} end` : sql`null`;
  const statement = once(
    dialect,
    sql`select name, position, fields, (select epoch from ${dialect.table('state')}) as epoch, ${version} as version
      from ${head} where name in (${sql.join(names)}) order by name ${dialect.forUpdate}`,
  );
  // For a single head there is one statement per resource, so it may stay prepared.
  const locking = yield* send(targets.length === 1 ? { ...statement, isKept: true } : statement);
  return function* () {
    const rows = yield* receive<HeadRow>(locking);
    return new Map(rows.map((row) => [row.name, lockedHead(row)]));
  };
}

function lockedHead({ version, ...row }: HeadRow): LockedHead {
  const position = Number(row.position);
  const tag = version === null && position > 0 ? undefined : tagOf(version ?? '');
  return { ...row, position, tag };
}
