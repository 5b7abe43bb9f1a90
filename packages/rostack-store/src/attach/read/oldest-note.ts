import { attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import { query } from '../source/query.ts';
import type { StoreParts } from '../source/store-parts.ts';

/**
 * Age of the oldest note, in ms; undefined if none waits.
 * @param elapsedMs SQL: time elapsed since a note's time
 */
export function oldestNoteMs(
  { database, schema }: StoreParts,
  name: string,
  elapsedMs: (time: string) => string,
): Promise<number | undefined> {
  return database.transaction(function* () {
    const [attachment] = yield* query<{ readonly number: number }>(
      `select number from ${attachmentTable(schema)} where name = $1`,
      [name],
    );
    if (attachment === undefined) return undefined;
    const { inbox } = installedNames({ schema, number: attachment.number });
    const [found] = yield* query<{ readonly ms: number | null }>(
      `select ${elapsedMs('min(noted)')} as ms from ${inbox}`,
    );
    return found?.ms ?? undefined;
  });
}
