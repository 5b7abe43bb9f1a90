import { sql } from 'kysely';
import type { Sql } from '../database/dialect.ts';
import { pointOf } from './key-range.ts';
import type { Entries, Found, PageBuilder } from './page-builder.ts';
import { tableOf, type Walk, walkSql } from './walk.ts';

/** Walks whose order is the page's. */
export function merged(builder: PageBuilder, walks: readonly Walk[]): Found {
  const tests = builder.tests();
  const parts: Sql[] = [];
  let isWhole: Sql = sql`1 = 1`;
  for (const [index, walk] of walks.entries()) {
    const entries = ordered(builder, walk);
    const part = builder.define(`w${index}`, builder.walkRows(entries, tests));
    parts.push(part);
    if (tests.length > 0) {
      isWhole = sql`${isWhole} and (${builder.isFull([part])} or not ${builder.goesOn(entries)})`;
    }
  }
  if (parts.length === 1 && parts[0] !== undefined) return { rows: parts[0], isWhole };
  const all = parts.map((part) => sql`select * from ${part}`);
  // A record may be on the walks of several fields.
  return { rows: builder.define('merged', builder.first(all, sql` union `)), isWhole };
}

export function ordered(builder: PageBuilder, walk: Walk): Entries {
  const { dialect } = builder.scope;
  const after = builder.after && {
    key: walk.field && (pointOf(walk.range) ?? builder.after.sortKeys[0]),
    id: builder.after.id,
  };
  const { conditions, order } = walkSql(dialect, walk, after, undefined);
  return { table: tableOf(builder.scope, walk.field, 'record'), conditions, order };
}
