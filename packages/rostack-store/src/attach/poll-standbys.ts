import type { Database, Work } from '../drivers/database.ts';
import { MAX_JOINED_SELECTS, quoteText } from '../drivers/sql.ts';
import { type Attachment, attachmentTable } from './attachment.ts';
import { installedNames } from './installation.ts';
import { isLedIn } from './leader-lease.ts';
import { query } from './query.ts';

/** What a process that does not lead asks of a table. */
export interface Standing {
  readonly name: string;
  readonly term: number;
  readonly isLed: boolean;
  /** How long ago the oldest note was made; null if none waits. */
  readonly oldestNoteMs: number | null;
}

/**
 * How tables stand, by the names of their resources, by one statement for two hundred of them; what is detached is missing.
 * @param elapsedMs SQL: how long ago that was
 */
export function pollStandbys(
  database: Database,
  attachments: readonly Attachment[],
  elapsedMs: (time: string) => string,
): Promise<ReadonlyMap<string, Standing>> {
  const [first] = attachments;
  if (first === undefined) return Promise.resolve(new Map());
  return database.transaction(function* (): Work<ReadonlyMap<string, Standing>> {
    const found = new Map<string, Standing>();
    for (let start = 0; start < attachments.length; start += MAX_JOINED_SELECTS) {
      const notes = attachments
        .slice(start, start + MAX_JOINED_SELECTS)
        .map(
          (attachment) =>
            `select ${quoteText(attachment.name)} as name, ${elapsedMs('min(noted)')} as ms from ${installedNames(attachment).inbox}`,
        );
      // SQLite's booleans are numbers.
      const standings = yield* query<Omit<Standing, 'isLed'> & { readonly isLed: boolean | number }>(
        `select at.name, at.term, coalesce(${isLedIn(database.dialect)}, false) as "isLed", note.ms as "oldestNoteMs"
          from ${attachmentTable(first.schema)} as at join (${notes.join(' union all ')}) as note on note.name = at.name`,
      );
      for (const standing of standings)
        found.set(standing.name, { ...standing, isLed: Boolean(standing.isLed) });
    }
    return found;
  });
}
