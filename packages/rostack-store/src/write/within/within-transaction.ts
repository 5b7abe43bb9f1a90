import type { Work } from '../../drivers/database.ts';
import type { Once } from '../../drivers/dialect/sql.ts';

/** Savepoints with the same name nest, so an application may use this name too. */
const SAVEPOINT = 'rostack_apply';

/**
 * Runs work inside a transaction that the caller has begun and will end. If the work throws, it leaves no trace in the transaction, which
 * can continue.
 * @param lock see `AppConnections`
 */
export function* withinTransaction<T>(lock: string | undefined, work: Work<T>): Work<T> {
  yield statement(`savepoint ${SAVEPOINT}`);
  let result: T;
  try {
    // Takes the write lock before reading anything, since others could write in between and make it stale.
    if (lock !== undefined) yield statement(lock);
    result = yield* work;
  } catch (error) {
    yield* rollBack();
    throw error;
  }
  yield statement(`release savepoint ${SAVEPOINT}`);
  return result;
}

function* rollBack(): Work<void> {
  try {
    yield statement(`rollback to savepoint ${SAVEPOINT}`);
    yield statement(`release savepoint ${SAVEPOINT}`);
  } catch {
    // The transaction is gone; the error that ended it is the one to report.
  }
}

function statement(sql: string): Once {
  return { kind: 'once', sql, parameters: [] };
}
