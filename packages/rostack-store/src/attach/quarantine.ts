import { createHash } from 'node:crypto';
import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { faultOfId } from '../resource/record-id.ts';
import type { AttachedResource } from './attached-resource.ts';

/**
 * Remembers which rows are refused.
 * @param reasons by id, why its last change was refused; undefined: it was not, or the row is gone
 */
export function* keepQuarantine(
  { dialect, target, nowMs }: AttachedResource,
  reasons: ReadonlyMap<string, string | undefined>,
): Work<void> {
  const { name } = target.resource;
  const table = dialect.table('quarantine');
  const settled: string[] = [];
  const refused: { readonly id: string; readonly reason: string }[] = [];
  for (const [id, reason] of reasons) {
    if (reason === undefined) settled.push(quarantineId(id));
    else refused.push({ id: quarantineId(id), reason });
  }
  if (settled.length > 0 && (yield* holdsAny(dialect, name))) {
    yield* run(
      once(dialect, sql`delete from ${table} where name = ${name} and id = any(${settled}::text[])`),
    );
  }
  if (refused.length === 0) return;
  const [ids, texts] = [refused.map(({ id }) => id), refused.map(({ reason }) => reason)];
  yield* run(
    once(
      dialect,
      sql`insert into ${table} (name, id, reason, since_ms)
        select ${name}, q.id, q.reason, ${nowMs()}::bigint from unnest(${ids}::text[], ${texts}::text[]) as q (id, reason)
        on conflict (name, id) do update set reason = excluded.reason`,
    ),
  );
}

function* holdsAny(dialect: Dialect, name: string): Work<boolean> {
  const rows = yield* run(
    once(dialect, sql`select 1 from ${dialect.table('quarantine')} where name = ${name} limit 1`),
  );
  return rows.length > 0;
}

/** An index holds no key of any length. */
function quarantineId(id: string): string {
  if (faultOfId(id) === undefined) return id;
  return `${id.slice(0, 64)}... ${createHash('sha256').update(id).digest('hex')}`;
}

/** Before all rows are read again: those that are refused come back. */
export function* emptyQuarantine(dialect: Dialect, name: string): Work<void> {
  yield* run(once(dialect, sql`delete from ${dialect.table('quarantine')} where name = ${name}`));
}
