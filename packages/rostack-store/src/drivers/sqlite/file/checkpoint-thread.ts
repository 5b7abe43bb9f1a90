/** The thread of a `SqliteLog`: copies the log of the file into the file when it is asked to. */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { END_THREAD } from '../reading/end-thread.ts';
import { isSqliteFailure } from '../statement/failure.ts';

/** What is written during a copy is copied next; a log that is copied to its end begins from the front. */
const MAX_ROUNDS = 4;

interface Progress {
  readonly busy: number;
  /** Pages in the log, and those of them that are in the file. */
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

/** Undefined where the disk refuses: what is in the log stays there, and the next copy tries again. */
function copy(): Progress | undefined {
  try {
    const [progress] = handle.pragma('wal_checkpoint(passive)') as [Progress];
    return progress;
  } catch (error) {
    if (isSqliteFailure(error)) return undefined;
    throw error;
  }
}
