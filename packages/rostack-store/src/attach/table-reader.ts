import type { Database } from '../database/database.ts';
import { SqliteDatabase } from '../database/sqlite-database.ts';
import type { AttachedResource } from './attached-resource.ts';
import { MOVE_LIMITS, readInbox } from './read-inbox.ts';
import { readChunk } from './read-table.ts';
import { readSqliteChunk, readSqliteInbox } from './sqlite-read.ts';
import type { Batch, Chunk, TableChange } from './write-batch.ts';

/** Reads what a leader should write next. */
export interface TableReader {
  /** What is waiting in the inbox, up to a number of rows of the table; undefined if nothing is. */
  readonly readInbox: (
    resource: AttachedResource,
    maxRows: number,
  ) => Promise<Batch | TableChange | undefined>;
  /** Rows of the table, or records without a row; undefined if the table is not as it was attached. */
  readonly readChunk: (resource: AttachedResource, limit: number) => Promise<Chunk | undefined>;
}

const POSTGRES: TableReader = {
  readInbox: (resource, maxRows) => readInbox(resource, { ...MOVE_LIMITS, maxRows }),
  readChunk,
};
const SQLITE: TableReader = { readInbox: readSqliteInbox, readChunk: readSqliteChunk };

export function tableReaderFor(database: Database): TableReader {
  return database instanceof SqliteDatabase ? SQLITE : POSTGRES;
}
