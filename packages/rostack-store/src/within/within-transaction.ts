import type { Work } from '../database/database.ts';
import type { Dialect, Once } from '../database/dialect.ts';

/** Savepoints of one name nest, so an application may have one of this name too. */
const SAVEPOINT = 'rostack_apply';

/**
 * Runs work inside of a transaction that somebody else has begun and is going to end. What the work throws leaves no trace of it in the
 * transaction, which can go on.
 */
export function* withinTransaction<T>({ name }: Dialect, work: Work<T>): Work<T> {
  yield statement(`savepoint ${SAVEPOINT}`);
  let result: T;
  try {
    // Nothing is read before the transaction may write: it would be old where others write in between.
    if (name === 'sqlite') yield statement('update main.state set epoch = epoch where false');
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
    // The transaction is gone, and what ended it is what to tell.
  }
}

function statement(sql: string): Once {
  return { kind: 'once', sql, parameters: [] };
}
