import { parseTrustedJson } from 'rostack-core';
import { run, type Work } from '../drivers/database.ts';
import type { Dialect } from '../drivers/dialect/dialect.ts';
import { once, sql } from '../drivers/dialect/sql.ts';
import { updateNote } from '../write/update-note.ts';

/** Name of the note with the earlier epochs, as a JSON array, the latest one last. */
export const EARLIER_EPOCHS_NOTE = 'rostack-store/earlier-epochs';

const MAX_KEPT = 100;

/** Writes a new epoch: positions handed out before it are no longer comparable. The current one is added to the earlier ones. */
export function* writeEpoch(dialect: Dialect, epoch: string): Work<void> {
  const state = dialect.table('state');
  const [row] = yield* run<{ epoch: string }>(
    once(dialect, sql`select epoch from ${state} ${dialect.forUpdate}`),
  );
  yield* updateNote(dialect, EARLIER_EPOCHS_NOTE, (present) => {
    const earlier = [...parseEarlierEpochs(present), ...(row === undefined ? [] : [row.epoch])];
    return JSON.stringify(earlier.slice(-MAX_KEPT));
  });
  yield* run(once(dialect, sql`update ${state} set epoch = ${epoch}`));
}

/** @param note as stored; if there is none, no epoch has ended, or it ended under an older release */
export function parseEarlierEpochs(note: string | null | undefined): readonly string[] {
  return note ? (parseTrustedJson(note) as readonly string[]) : [];
}
