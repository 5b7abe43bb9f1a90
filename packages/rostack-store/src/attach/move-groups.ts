import { sql } from 'kysely';
import { type Query, receive, run, type Sending, send, type Work } from '../database/database.ts';
import { once } from '../database/dialect.ts';
import type { AttachedResource } from './attached-resource.ts';
import { cutIntoParts, type InboxGroup } from './choose-batch.ts';
import { coalesce, type InboxRow, type NetChange } from './coalesce.ts';
import { qualified } from './installation.ts';
import type { MoveLimits } from './move-limits.ts';
import { emptyQuarantine } from './quarantine.ts';
import { keptImageExpression } from './row-image.ts';
import { idExpression, keptKeyFields, keyAlias } from './table-key.ts';
import { type Refusal, writeNetChanges } from './write-net-changes.ts';

/** What became of chosen transactions. */
export interface MovedGroups {
  readonly moved: readonly string[];
  readonly refused: readonly Refusal[];
  /** Whether the rows stay, because a truncation needs more transactions. */
  readonly isUnfinished: boolean;
}

/**
 * Writes what chosen transactions did, and drops their rows of the inbox. Part by part: while one is decoded here, the server writes the
 * one before and reads the next.
 */
export function* moveGroups(
  resource: AttachedResource,
  groups: readonly InboxGroup[],
  { maxRows, partRows }: MoveLimits,
): Work<MovedGroups> {
  const moved = new Set<string>();
  const refused: Refusal[] = [];
  const parts = cutIntoParts(groups, partRows);
  let ahead: Sending | undefined;
  for (const [index, part] of parts.entries()) {
    const rows = yield* receive<InboxRow>(ahead ?? (yield* send(takeQuery(resource, part))));
    const next = parts[index + 1];
    ahead = next && (yield* send(takeQuery(resource, next)));
    const { changes, isUnfinished } = yield* changesOf(resource, part, rows, maxRows);
    const written = yield* writeNetChanges(resource, changes);
    for (const name of written.moved) moved.add(name);
    refused.push(...written.refused);
    if (isUnfinished) return { moved: [...moved], refused, isUnfinished };
  }
  yield* deleteRows(resource, groups);
  return { moved: [...moved], refused, isUnfinished: false };
}

/** What these transactions did; `isUnfinished`: a truncation does more than is there to be written at once. */
function* changesOf(
  resource: AttachedResource,
  groups: readonly InboxGroup[],
  rows: readonly InboxRow[],
  maxRows: number,
): Work<{ readonly changes: readonly NetChange[]; readonly isUnfinished: boolean }> {
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  const changes: NetChange[] = [];
  for (const group of groups) {
    const effect = coalesce(group.flatMap(({ number }) => byNumber.get(number) ?? []));
    if (effect.isTruncated) {
      const ids = yield* readIds(resource, maxRows + 1);
      if (ids.length > maxRows) return { changes: ids.map(toGone), isUnfinished: true };
      yield* emptyQuarantine(resource.dialect, resource.attachment.name);
      const kept = new Set(effect.changes.map(({ id }) => id));
      changes.push(...ids.filter((id) => !kept.has(id)).map(toGone));
    }
    changes.push(...effect.changes);
  }
  return { changes, isUnfinished: false };
}

function toGone(id: string): NetChange {
  return { id, image: undefined };
}

/** What rows of the inbox tell, keys that are gone first. */
function takeQuery({ schema, names, attachment }: AttachedResource, groups: readonly InboxGroup[]): Query {
  const idOf = (row: string) => idExpression(attachment, keptKeyFields(attachment, row));
  return {
    kind: 'once',
    sql: `select i.number, i.kind, c.gone, c.id, c.image
      from ${qualified(schema, names.inbox)} i left join lateral (
        select 1 as part, g.ordinality as place, ${idOf('g')} as gone, null as id, null as image
          from unnest(i.gone) with ordinality ${keyAlias(attachment, 'g')}
        union all
        select 2, u.ordinality, null, ${idOf('u')}, array_to_json(${keptImageExpression(attachment, 'u')})::text
          from unnest(i.rows) with ordinality u) c on true
      where i.number = any($1::bigint[]) order by i.number, c.part, c.place`,
    parameters: [numbersOf(groups)],
  };
}

/** Exactly the rows that were read: others with smaller numbers may be committed at any time. */
function* deleteRows({ schema, names }: AttachedResource, groups: readonly InboxGroup[]): Work<void> {
  yield* run({
    kind: 'once',
    sql: `delete from ${qualified(schema, names.inbox)} where number = any($1::bigint[])`,
    parameters: [numbersOf(groups)],
  });
}

function numbersOf(groups: readonly InboxGroup[]): number[] {
  return groups.flatMap((group) => group.map(({ number }) => number));
}

function* readIds({ dialect, target }: AttachedResource, limit: number): Work<readonly string[]> {
  const rows = yield* run<{ id: string }>(
    once(dialect, sql`select id from ${dialect.table(target.tables.record)} limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}
