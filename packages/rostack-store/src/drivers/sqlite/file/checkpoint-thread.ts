/** The thread of a `SqliteLog`: copies the write-ahead log into the database file on request. */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { END_THREAD } from '../reading/end-thread.ts';
import { isSqliteFailure } from '../statement/failure.ts';

/** Changes written during a copy are copied next; a log that is copied to its end is reused from the start. */
const MAX_ROUNDS = 4;

interface Progress {
  readonly busy: number;
  /** Pages in the log, and how many of them are in the file. */
  readonly log: number;
  readonly checkpointed: number;
}

const handle = new Sqlite(workerData as string, { fileMustExist: true });

parentPort?.on('message', (request: 'checkpoint' | typeof END_THREAD) => {
  if (request === END_THREAD) {
    handle.close();
    parentPort?.close();
    return;
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const progress = copy();
    if (progress === undefined || progress.busy !== 0 || progress.log === progress.checkpointed) return;
  }
});

/** Undefined if the disk refuses: the changes stay in the log, and the next copy tries again. */
function copy(): Progress | undefined {
  try {
    const [progress] = handle.pragma('wal_checkpoint(passive)') as [Progress];
    return progress;
  } catch (error) {
    if (isSqliteFailure(error)) return undefined;
    throw error;
  }
}
