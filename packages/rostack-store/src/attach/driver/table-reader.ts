import type { Database } from '../../drivers/database.ts';
import type { Attachment } from '../attachment/attachment.ts';
import type { AttachedResource } from '../batch/attached-resource.ts';
import type { Batch, Chunk, TableChange } from '../batch/batch.ts';
import type { Standing } from '../read/poll-standbys.ts';
import type { Polled } from '../read/polled.ts';
import type { StoreParts } from '../source/store-parts.ts';

/** Reads what a leader should write next. */
export interface TableReader {
  /**
   * Polls the inboxes of attachments of one database.
   * @param isCheck whether to also check that the tables are as they were attached and that this process leads
   */
  readonly pollInboxes: (resources: readonly AttachedResource[], isCheck: boolean) => Promise<Polled>;
  /** Makes the next writer of each table wake its leader; false if writers cannot. */
  readonly fallAsleep: (resources: readonly AttachedResource[]) => Promise<boolean>;
  /** What is waiting in the inbox, up to a number of rows of the table; undefined if nothing is. */
  readonly readInbox: (
    resource: AttachedResource,
    maxRows: number,
  ) => Promise<Batch | TableChange | undefined>;
  /** Rows of the table, or records without a row; undefined if the table is not as it was attached. */
  readonly readChunk: (resource: AttachedResource, limit: number) => Promise<Chunk | undefined>;
  /** About how many rows the table has; undefined if that is not known. */
  readonly estimateRows: (resource: AttachedResource) => Promise<number | undefined>;
  /** The state of tables that other processes lead, by the names of their resources. */
  readonly pollStandbys: (
    database: Database,
    attachments: readonly Attachment[],
  ) => Promise<ReadonlyMap<string, Standing>>;
  /** How long ago the oldest note was made, in ms; undefined if none waits. */
  readonly oldestNoteMs: (parts: StoreParts, name: string) => Promise<number | undefined>;
}
