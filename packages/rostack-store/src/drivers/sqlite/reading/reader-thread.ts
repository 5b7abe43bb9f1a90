/** The thread of a `SqliteReader`: a read-only connection of its own. */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { Query, Row } from '../../dialect/query.ts';
import { OverTimeError } from '../../over-time-error.ts';
import { isSqliteFailure } from '../statement/failure.ts';
import { SqliteStatements, TimeBound } from '../statement/statements.ts';
import { END_THREAD } from './end-thread.ts';

/** The data that the thread is started with. */
export interface ReaderSetup {
  readonly file: string;
  /** One number, other than 0 once the reader is closed. */
  readonly isClosed: Int32Array;
}

export type ReaderRequest =
  /** Runs the query in the current snapshot, for at most this long. */
  | { readonly query: Query; readonly durationMs: number }
  /** Ends the snapshot; has no answer. */
  | 'end'
  | typeof END_THREAD;

export type ReaderAnswer =
  | { readonly rows: readonly Row[] }
  | { readonly failure: { readonly message: string; readonly code: string | undefined } };

const { file, isClosed } = workerData as ReaderSetup;
const handle = new Sqlite(file, { readonly: true, fileMustExist: true });
handle.pragma('query_only = on');
handle.pragma('temp_store = memory');
handle.pragma('trusted_schema = off');
handle.pragma('cache_size = -16384');
const statements = new SqliteStatements(handle);
const bound = new TimeBound(handle, () => Atomics.load(isClosed, 0) !== 0);

parentPort?.on('message', (request: ReaderRequest) => {
  if (request === END_THREAD) {
    handle.close();
    parentPort?.close();
  } else if (request !== 'end') {
    parentPort?.postMessage(answerTo(request));
  } else if (handle.inTransaction) statements.prepare('commit').run();
});

function answerTo({ query, durationMs }: Exclude<ReaderRequest, string>): ReaderAnswer {
  try {
    bound.set(durationMs);
    if (!handle.inTransaction) statements.prepare('begin').run();
    return { rows: statements.run(query) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { message, code: codeOf(error) } };
  }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof OverTimeError) return 'OVER_TIME';
  return isSqliteFailure(error) ? error.code : undefined;
}
