import { run, type Work } from '../database/database.ts';
import { type Dialect, once } from '../database/dialect.ts';
import { sql } from '../database/sql.ts';

/** Writes a new epoch: positions handed out before it are no longer comparable. */
export function* writeEpoch(dialect: Dialect, epoch: string): Work<void> {
  yield* run(once(dialect, sql`update ${dialect.table('state')} set epoch = ${epoch}`));
}
