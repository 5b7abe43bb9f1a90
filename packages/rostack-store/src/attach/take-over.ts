import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';
import { type Attachment, readAttachment } from './attachment.ts';
import { leadsUntil } from './leader-lease.ts';
import { emptyQuarantine } from './quarantine.ts';

/**
 * Begins a term, which ends all earlier ones: a transaction of an earlier leader that is under way commits before, or not at all.
 * When rows would become other records than under the last leader, they are all read again.
 * @returns undefined: another process leads, or nothing is attached
 */
export function* takeOver(
  dialect: Dialect,
  name: string,
  mapping: string,
  leaseMs: number,
): Work<Attachment | undefined> {
  const present = yield* readAttachment(dialect, name, true);
  if (present === undefined || present.isLed) return undefined;
  const isSame = present.mapping === mapping;
  const taken: Attachment = {
    ...present,
    mapping,
    term: present.term + 1,
    isLed: true,
    phase: isSame ? present.phase : 'load',
    place: isSame ? present.place : null,
  };
  if (!isSame) yield* emptyQuarantine(dialect, name);
  yield* run(
    once(
      dialect,
      sql`update ${dialect.table('attachment')}
        set term = ${taken.term}, leads_until = ${leadsUntil(leaseMs)}, mapping = ${mapping}, phase = ${taken.phase}, place = ${taken.place} where name = ${name}`,
    ),
  );
  return taken;
}
