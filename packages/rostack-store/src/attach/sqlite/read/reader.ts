import type { TableReader } from '../../driver/table-reader.ts';
import { oldestNoteMs } from '../../read/oldest-note.ts';
import { pollStandbys } from '../../read/poll-standbys.ts';
import { estimateRows } from './estimate-rows.ts';
import { pollInboxes } from './poll-inboxes.ts';
import { elapsedMs, readInbox } from './read-inbox.ts';
import { readChunk } from './read-table.ts';

export const sqliteReader: TableReader = {
  pollInboxes,
  // Watching the file reveals each write.
  fallAsleep: () => Promise.resolve(true),
  readInbox,
  readChunk,
  estimateRows,
  pollStandbys: (database, attachments) => pollStandbys(database, attachments, elapsedMs),
  oldestNoteMs: (parts, name) => oldestNoteMs(parts, name, elapsedMs),
};
