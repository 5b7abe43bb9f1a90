import type { Database, Work } from '../../drivers/database.ts';
import { MAX_JOINED_SELECTS, quoteText } from '../../drivers/dialect/sql.ts';
import { type Attachment, attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import { query } from '../source/query.ts';

/** What a process that does not lead asks of a table. */
export interface Standing {
  readonly name: string;
  readonly term: number;
  readonly isLed: boolean;
  /** How long ago the oldest note was made; null if none waits. */
  readonly oldestNoteMs: number | null;
}

/**
 * How tables stand, by the names of their resources. Two hundred are asked for in a transaction: each locks the inboxes that it reads.
 * @param elapsedMs SQL: how long ago that was
 * @throws SourceUnavailableError, or what the database says where an inbox is gone
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
    // SQLite's booleans are numbers.
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
