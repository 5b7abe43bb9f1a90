import { hasCode } from 'rostack-core';
import type {
  ChangeInvalidError,
  ChangeResult,
  RecordInvalidError,
  Store,
  StoreChange,
  VersionConflictError,
} from 'rostack-store';

/** Why the store refused one change. */
export interface ChangeRefusal {
  readonly code: 'record_invalid' | 'change_invalid' | 'version_conflict';
  readonly message: string;
  /** JSON Pointer of the first faulty member. */
  readonly pointer: string | undefined;
  /** The current version, for `version_conflict`; null if there is no such record. */
  readonly presentVersion: string | null | undefined;
}

export type ChangeOutcome = { readonly result: ChangeResult } | { readonly refusal: ChangeRefusal };

/**
 * Writes changes that succeed or fail one by one, in order, and in as few transactions as `Store.apply` can combine them into.
 * @throws StoreUnavailableError `store_unavailable` and other errors of the store as a whole; some of the changes may have been written
 * then
 */
export async function applyEach(
  store: Pick<Store, 'apply'>,
  changes: readonly StoreChange[],
): Promise<ChangeOutcome[]> {
  // Batches of the same turn of the event loop share a transaction.
  const settled = await Promise.allSettled(changes.map((change) => store.apply([change])));
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') return { refusal: toRefusal(outcome.reason) };
    const [result] = outcome.value;
    if (result === undefined) throw new Error('the store returned no result for a change');
    return { result };
  });
}

/** Why a change was refused. @throws the error itself when it is not about one change */
export function toRefusal(error: unknown): ChangeRefusal {
  if (hasCode<RecordInvalidError>(error, 'record_invalid')) {
    const [fault] = error.faults;
    const message = error.faults
      .map(({ pointer, message }) => `${pointer || 'the record'}: ${message}`)
      .join('; ');
    return { code: error.code, message, pointer: fault?.pointer, presentVersion: undefined };
  }
  if (hasCode<ChangeInvalidError>(error, 'change_invalid')) {
    const message = error.message.replace(/^change \d+: /, '');
    return { code: error.code, message, pointer: undefined, presentVersion: undefined };
  }
  if (hasCode<VersionConflictError>(error, 'version_conflict')) {
    const { presentVersion } = error;
    const present = presentVersion === null ? 'there is no such record' : `it is at ${presentVersion}`;
    const message = `not at the expected version: ${present}`;
    return { code: error.code, message, pointer: undefined, presentVersion };
  }
  throw error;
}
