import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Work } from '../../../drivers/database.ts';
import { isForbidden, isPostgresFailure } from '../../../drivers/postgres/statement/failure.ts';
import { AttachRefusedError, StoreUnavailableError } from '../../../errors/index.ts';
import type { TableLockOptions } from '../../driver/table-lock-options.ts';

/** How long one try may wait, since later writers wait just as long. */
const ONE_TRY_MS = 300;
/** Pause between tries, in which writers can run. */
const PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs work that needs a lock on a table that others write to, in short tries, so that writers queued behind it do not wait for long.
 * @throws AttachRefusedError if the role lacks a privilege
 * @throws StoreUnavailableError if the lock was not free in time
 */
export async function withTableLock<T>(
  database: Database,
  { lockTimeoutMs = 30_000 }: TableLockOptions,
  work: () => Work<T>,
): Promise<T> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return await database.write(() => withLockTimeout(work()));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      if (isForbidden(error.cause)) throw new AttachRefusedError(error.message, { cause: error.cause });
      if (!isLockFailure(error)) throw error;
      if (performance.now() > deadline) {
        throw new StoreUnavailableError(
          `the table was in use by long transactions for ${lockTimeoutMs} ms: end them, or try again later`,
          { cause: error },
        );
      }
    }
    await delay(PAUSE_MS);
  }
}

function* withLockTimeout<T>(work: Work<T>): Work<T> {
  yield { kind: 'once', sql: `set local lock_timeout = ${ONE_TRY_MS}`, parameters: [] };
  return yield* work;
}

function isLockFailure({ cause }: StoreUnavailableError): boolean {
  return isPostgresFailure(cause) && cause.code === LOCK_NOT_AVAILABLE;
}
