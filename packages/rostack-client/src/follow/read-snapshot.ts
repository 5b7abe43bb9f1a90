import { PageCursorExpiredError, ResponseError } from '../error/index.ts';
import { isRetryable } from '../http/with-retries.ts';
import type { StoredRecord } from '../store/state-store.ts';
import type { FollowBackend } from './follow-backend.ts';
import type { FollowedSet } from './followed-set.ts';

/** A whole consistent snapshot, and the event position that it stands at. */
export interface Snapshot {
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly cursor: string;
}

/** Reads a chain to its end; begins anew as long as what went wrong may pass. @throws ClientError */
export async function readSnapshot(
  backend: FollowBackend,
  set: Pick<FollowedSet<unknown>, 'idOf'>,
  signal: AbortSignal,
): Promise<Snapshot> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await readChain(backend, set, signal);
    } catch (error) {
      if (!isRetryable(error) && !(error instanceof PageCursorExpiredError)) throw error;
      await backend.pause(error, failures, signal);
    }
  }
}

async function readChain(
  backend: FollowBackend,
  set: Pick<FollowedSet<unknown>, 'idOf'>,
  signal: AbortSignal,
): Promise<Snapshot> {
  const records = new Map<string, StoredRecord>();
  let cursor: string | undefined;
  for await (const page of backend.pages(signal)) {
    cursor = page.eventCursor;
    for (const record of page.records) {
      const id = set.idOf(record);
      if (records.has(id)) throw new ResponseError(`a snapshot holds the record ${id} twice`);
      if (records.size >= backend.maxRecords) {
        throw new ResponseError(`a snapshot holds more than ${backend.maxRecords} records`);
      }
      records.set(id, { id, record, version: undefined });
    }
  }
  if (cursor === undefined) throw new ResponseError('the resource has no event_cursor');
  return { records, cursor };
}
