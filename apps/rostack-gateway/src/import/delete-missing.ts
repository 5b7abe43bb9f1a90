import { type PageKey, PositionExpiredError, type RecordSource } from 'rostack-core';
import { type EventsByTransition, type Store, type StoreChange, VersionConflictError } from 'rostack-store';

const PAGE_RECORDS = 1_000;
/** Records deleted in one transaction: more are deleted in several. */
const MAX_DELETED_AT_ONCE = 20_000;

export interface DeleteMissingOptions {
  readonly store: Pick<Store, 'apply' | 'source'>;
  readonly resource: string;
  /** Head of the resource when the import began: what was written after it is never deleted. */
  readonly startPosition: number;
  readonly isKept: (id: string) => boolean;
  readonly event: EventsByTransition | undefined;
  readonly dryRun: boolean;
}

/** A record to delete, at the version at which it was found missing from the file. */
interface Missing {
  readonly id: string;
  readonly version: string;
}

/**
 * Deletes the records that stood when the import began, were not in the file, and nobody has changed since. What is missing is
 * found on one snapshot; up to 20,000 deletions are one transaction.
 * @returns how many were deleted
 */
export async function deleteMissing(options: DeleteMissingOptions): Promise<number> {
  let deleted = 0;
  let batch: Missing[] = [];
  for await (const missing of findMissing(options)) {
    batch.push(missing);
    if (batch.length < MAX_DELETED_AT_ONCE) continue;
    deleted += await deleteAll(options, batch);
    batch = [];
  }
  return deleted + (await deleteAll(options, batch));
}

async function* findMissing({
  store,
  resource,
  startPosition,
  isKept,
}: DeleteMissingOptions): AsyncGenerator<Missing> {
  const source = store.source(resource);
  let { position: at } = await source.head();
  let after: PageKey | undefined;
  do {
    const page = await readPage(source, at, after);
    at = page.at;
    for (const { id, version, position } of page.records) {
      if (position <= startPosition && !isKept(id)) yield { id, version };
    }
    after = page.next;
  } while (after !== undefined);
}

/** A snapshot that others' writes have pushed out of the log is given up for a newer one: versions are compared in the end. */
async function readPage(source: RecordSource, at: number, after: PageKey | undefined) {
  try {
    return { at, ...(await source.page({ at, after, sort: [], limit: PAGE_RECORDS })) };
  } catch (error) {
    if (!(error instanceof PositionExpiredError)) throw error;
    const { position } = await source.head();
    return { at: position, ...(await source.page({ at: position, after, sort: [], limit: PAGE_RECORDS })) };
  }
}

/** Somebody else may change a record until the last moment: it stays then. */
async function deleteAll(
  { store, resource, event, dryRun }: DeleteMissingOptions,
  missing: readonly Missing[],
): Promise<number> {
  if (dryRun) return missing.length;
  let left = missing;
  while (left.length > 0) {
    const changes = left.map(
      ({ id, version }): StoreChange => ({ resource, op: 'delete', id, event, expectedVersion: version }),
    );
    try {
      await store.apply(changes);
      return left.length;
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
      left = left.filter(({ id }) => id !== error.id);
    }
  }
  return 0;
}
