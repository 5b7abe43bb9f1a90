import {
  hasCode,
  isPositionExpired,
  type Page,
  type PageKey,
  type Position,
  parseBodies,
  type RecordSource,
  recordIdText,
  resolvePointer,
} from 'rostack-core';
import type { EventsByTransition, Store, StoreChange, VersionConflictError } from 'rostack-store';

const PAGE_RECORDS = 1_000;
/** How many records are deleted in one transaction; more take several. */
const MAX_DELETED_AT_ONCE = 20_000;

export interface DeleteMissingOptions {
  readonly store: Pick<Store, 'apply' | 'source'>;
  readonly resource: string;
  /** Path of the id in a record. */
  readonly idPath: readonly string[];
  /** Head of the resource when the import began: records written after it are never deleted. */
  readonly startPosition: number;
  readonly isKept: (id: string) => boolean;
  readonly event: EventsByTransition | undefined;
  readonly dryRun: boolean;
}

/** A record to delete, with the version at which it was found missing from the file. */
interface Missing {
  readonly id: string;
  readonly version: string;
}

/**
 * Deletes the records that existed when the import began, are not in the file, and have not changed since. It looks for them on one
 * snapshot, and deletes up to 20,000 in one transaction.
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
  idPath,
  startPosition,
  isKept,
}: DeleteMissingOptions): AsyncGenerator<Missing> {
  const source = store.source(resource);
  let at: Position | undefined;
  let after: PageKey | undefined;
  do {
    const page: PageAt = await readPage(source, at, after);
    at = page.at;
    for (const record of parseBodies(page.bodies)) {
      const id = recordIdText(resolvePointer(record, idPath));
      if (id === undefined || isKept(id)) continue;
      const found = await source.get(id);
      if (found === undefined || found === 'gone' || found.position > startPosition) continue;
      yield { id, version: found.version };
    }
    after = page.next;
  } while (after !== undefined);
}

type PageAt = Page & { readonly at: Position };

/** If the snapshot has fallen out of the log, a newer one replaces it: versions are compared in the end anyway. */
async function readPage(
  source: RecordSource,
  at: Position | undefined,
  after: PageKey | undefined,
): Promise<PageAt> {
  try {
    const page = await source.page({ at, after, sort: [], limit: PAGE_RECORDS });
    return { ...page, at: at ?? page.head.position };
  } catch (error) {
    if (!isPositionExpired(error)) throw error;
    const page = await source.page({ after, sort: [], limit: PAGE_RECORDS });
    return { ...page, at: page.head.position };
  }
}

/** Keeps records that somebody else has changed in the meantime. */
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
      if (!hasCode<VersionConflictError>(error, 'version_conflict')) throw error;
      left = left.filter(({ id }) => id !== error.id);
    }
  }
  return 0;
}
