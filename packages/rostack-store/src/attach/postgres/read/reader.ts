import type { TableReader } from '../../driver/table-reader.ts';
import { oldestNoteMs } from '../../read/oldest-note.ts';
import { pollStandbys } from '../../read/poll-standbys.ts';
import { estimateRows } from './estimate-rows.ts';
import { elapsedMs, MOVE_LIMITS } from './noted-query.ts';
import { fallAsleep, pollInboxes } from './poll-inboxes.ts';
import { readInbox } from './read-inbox.ts';
import { readChunk } from './read-table.ts';

export const postgresReader: TableReader = {
  pollInboxes,
  fallAsleep,
  readInbox: (resource, maxRows) => readInbox(resource, { ...MOVE_LIMITS, maxRows }),
  readChunk,
  estimateRows,
  pollStandbys: (database, attachments) => pollStandbys(database, attachments, elapsedMs),
  oldestNoteMs: (parts, name) => oldestNoteMs(parts, name, elapsedMs),
};
