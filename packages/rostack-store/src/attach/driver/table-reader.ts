import type { Database } from '../../drivers/database.ts';
import { SqliteDatabase } from '../../drivers/sqlite/database.ts';
import { type Attachment, attachmentTable } from '../attachment/attachment.ts';
import { installedNames } from '../attachment/installation.ts';
import type { AttachedResource } from '../batch/attached-resource.ts';
import type { Batch, Chunk, TableChange } from '../batch/write-batch.ts';
import { elapsedMs, MOVE_LIMITS } from '../postgres/noted-query.ts';
import { readInbox } from '../postgres/read-inbox.ts';
import { readChunk } from '../postgres/read-table.ts';
import { query } from '../source/query.ts';
import type { StoreParts } from '../source/store-parts.ts';
import { elapsedMs as elapsedSqliteMs, readSqliteChunk, readSqliteInbox } from '../sqlite/read.ts';
import { estimateRows, estimateSqliteRows } from './estimate-rows.ts';
import { fallAsleep, type Polled, pollInboxes, pollSqliteInboxes } from './poll-inboxes.ts';
import { pollStandbys, type Standing } from './poll-standbys.ts';

/** Reads what a leader should write next. */
export interface TableReader {
  /**
   * Polls the inboxes of attachments of one database.
   * @param isCheck also whether the tables are as they were attached, and this process leads
   */
  readonly pollInboxes: (resources: readonly AttachedResource[], isCheck: boolean) => Promise<Polled>;
  /** Has the next writer of each table wake its leader; false where that cannot be. */
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
  /** How tables stand that other processes lead, by the names of their resources. */
  readonly pollStandbys: (
    database: Database,
    attachments: readonly Attachment[],
  ) => Promise<ReadonlyMap<string, Standing>>;
  /** How long ago the oldest note was made, in ms; undefined if none waits. */
  readonly oldestNoteMs: (parts: StoreParts, name: string) => Promise<number | undefined>;
}

function oldestNote(elapsedMs: (time: string) => string): TableReader['oldestNoteMs'] {
  return ({ database, schema }, name) =>
    database.transaction(function* () {
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

const POSTGRES: TableReader = {
  pollInboxes,
  fallAsleep,
  readInbox: (resource, maxRows) => readInbox(resource, { ...MOVE_LIMITS, maxRows }),
  readChunk,
  estimateRows,
  pollStandbys: (database, attachments) => pollStandbys(database, attachments, elapsedMs),
  oldestNoteMs: oldestNote(elapsedMs),
};
const SQLITE: TableReader = {
  pollInboxes: pollSqliteInboxes,
  // The file itself tells of each writer.
  fallAsleep: () => Promise.resolve(true),
  readInbox: readSqliteInbox,
  readChunk: readSqliteChunk,
  estimateRows: estimateSqliteRows,
  pollStandbys: (database, attachments) => pollStandbys(database, attachments, elapsedSqliteMs),
  oldestNoteMs: oldestNote(elapsedSqliteMs),
};

export function tableReaderFor(database: Database): TableReader {
  return database instanceof SqliteDatabase ? SQLITE : POSTGRES;
}
