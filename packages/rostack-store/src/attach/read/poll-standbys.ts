import type { Database, Work } from '../../drivers/database.ts';
import { MAX_JOINED_SELECTS, quoteText } from '../../drivers/dialect/sql.ts';
import { type Attachment, attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import { query } from '../source/query.ts';

/** What a process that does not lead polls of a table. */
export interface Standing {
  readonly name: string;
  readonly term: number;
  readonly isLed: boolean;
  /** Age of the oldest note; null if none waits. */
  readonly oldestNoteMs: number | null;
}

/**
 * The state of tables, by the names of their resources. One transaction polls at most two hundred: each locks the inboxes that it reads.
 * @param elapsedMs SQL: time elapsed since a note's time
 * @throws SourceUnavailableError, or the database's error if an inbox is gone
 */
export async function pollStandbys(
  database: Database,
  attachments: readonly Attachment[],
  elapsedMs: (time: string) => string,
): Promise<ReadonlyMap<string, Standing>> {
  const found = new Map<string, Standing>();
  for (let start = 0; start < attachments.length; start += MAX_JOINED_SELECTS) {
    const slice = attachments.slice(start, start + MAX_JOINED_SELECTS);
    const standings = await database.transaction(() => standingsOf(database, slice, elapsedMs));
    // SQLite returns booleans as numbers.
    for (const standing of standings)
      found.set(standing.name, { ...standing, isLed: Boolean(standing.isLed) });
  }
  return found;
}

function standingsOf(
  { dialect }: Database,
  attachments: readonly Attachment[],
  elapsedMs: (time: string) => string,
): Work<readonly (Omit<Standing, 'isLed'> & { readonly isLed: boolean | number })[]> {
  const notes = attachments.map(
    (attachment) =>
      `select ${quoteText(attachment.name)} as name, ${elapsedMs('min(noted)')} as ms from ${installedNames(attachment).inbox}`,
  );
  return query(
    `select at.name, at.term, coalesce(${dialect.leases.isLed}, false) as "isLed", note.ms as "oldestNoteMs"
      from ${attachmentTable(attachments[0]?.schema ?? '')} as at join (${notes.join(' union all ')}) as note on note.name = at.name`,
  );
}
