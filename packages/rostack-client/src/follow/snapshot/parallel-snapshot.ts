import type { JsonObject } from 'rostack-core';
import { aFunction, anInteger, aString, optional, optionsOf } from 'rostack-core/client';
import { observer } from '../../connection/platform/platform.ts';
import { findResource } from '../../http/discovery-cache.ts';
import { checkUsage, HttpProblemError, ResponseError, SubscriptionError } from '../../http/error/errors.ts';
import { readPages } from '../../list/read-pages.ts';
import type { Snapshot, SnapshotContext, SnapshotReader } from '../snapshot-reader.ts';
import { boundOf, fieldReader, rangePointer } from './range.ts';
import { RangeReader } from './range-reader.ts';
import { reconcile } from './reconcile.ts';
import { forgetParts, MAX_RANGES, SnapshotParts, type SnapshotStart } from './snapshot-parts.ts';
import { UnstoredParts } from './unstored-parts.ts';

/** How far the reading of a snapshot has come. */
export interface SnapshotProgress {
  /** Records that were read, also by an earlier process; a few that two ranges share count twice. */
  readonly records: number;
  /** How many there may be: as many as the set held before. The protocol does not say; undefined for a first snapshot. */
  readonly estimatedRecords: number | undefined;
  /** Measured since this reading began. */
  readonly recordsPerSecond: number;
}

/** Options of `parallelSnapshot`. */
export interface ParallelSnapshotOptions {
  /** Chains of pages that are read at once, 1 to 16. @default 4 */
  readonly ranges?: number;
  /**
   * The field that the records are divided by, as a JSON Pointer: sortable, and filterable with `gte` and `lt`. Best is a field of which
   * few records share a value. Without such a field one chain is read. @default the id, else the first field that is suitable
   */
  readonly by?: string;
  /**
   * Called after each page. Errors that it throws are shown as warnings of the platform and end nothing.
   * @default not called
   */
  readonly onProgress?: (progress: SnapshotProgress) => void;
}

const parallelSnapshotOptions = optionsOf<ParallelSnapshotOptions>({
  ranges: optional(anInteger(1, MAX_RANGES)),
  by: optional(aString),
  onProgress: optional(aFunction),
});

/** The answers of a server that does not accept these ranges after all. */
const REFUSALS: readonly string[] = ['invalid-filter', 'unsupported-filter', 'invalid-sort'];

/**
 * Reads the snapshots of a follow in several chains of pages at once, and keeps what was read in the follow's store: if the process ends
 * in the middle, the next one continues from there. For the option `snapshot` of `follow`; not used with `limit`.
 * @throws UsageError `invalid_options`
 */
export function parallelSnapshot(options: ParallelSnapshotOptions = {}): SnapshotReader {
  checkUsage(parallelSnapshotOptions, options);
  const { ranges = 4, by } = options;
  const onProgress = observer('onProgress', options.onProgress);
  return {
    createStore: () => new UnstoredParts(),
    forget: forgetParts,
    async read(context, signal) {
      const readChain = (): Promise<Snapshot> => {
        const progress = new Progress(context, 0, onProgress);
        return context.readChain((records) => progress.add(records));
      };
      const pointer = pointerOf(context, by);
      if (pointer === undefined) return readChain();
      try {
        return await readRanges(context, { pointer, ranges, onProgress }, signal);
      } catch (error) {
        const isRefused = error instanceof HttpProblemError && REFUSALS.includes(error.code);
        if (isRefused || error instanceof SubscriptionError) await forgetParts(context.place);
        if (!isRefused) throw error;
        return readChain();
      }
    },
  };
}

function pointerOf({ api, resource, fields }: SnapshotContext, by: string | undefined): string | undefined {
  const isKept = (pointer: string): boolean =>
    fields === undefined || fields.some((field) => pointer === field || pointer.startsWith(`${field}/`));
  return rangePointer(findResource(api.newest, resource), by, isKept);
}

interface RangesWanted {
  readonly pointer: string;
  readonly ranges: number;
  readonly onProgress: (progress: SnapshotProgress) => void;
}

async function readRanges(
  context: SnapshotContext,
  { pointer, ranges, onProgress }: RangesWanted,
  signal: AbortSignal,
): Promise<Snapshot> {
  const { place, scope, maxRecords } = context;
  const fieldOf = fieldReader(pointer);
  const scopeOfParts = { ...scope, filter: `${scope.filter ?? 'all'}~by~${pointer}` };
  const parts = await SnapshotParts.open(place, scopeOfParts, () =>
    readStart(context, pointer, fieldOf, signal),
  );
  const progress = new Progress(context, parts.records.size, onProgress);
  // Not the number of records read: records with equal values may have been read twice.
  const checkSize = (): void => {
    if (parts.records.size <= maxRecords) return;
    throw new ResponseError(`a snapshot has more than ${maxRecords} records`);
  };
  const onRead = (records: number): void => {
    progress.add(records);
    checkSize();
  };
  await new RangeReader({ context, pointer, fieldOf, ranges, parts, onRead }).read(signal);
  checkSize();
  const { records, cursors, start } = parts;
  const { cursor, seen, versions } = await reconcile(context, records, start.cursor, cursors, signal);
  return { records, versions, cursor, eventId: seen, order: await context.order(signal), isWhole: true };
}

/** Asked before anything else, so that every part is at least as new as this position. */
async function readStart(
  { api, resource, filter, fields }: SnapshotContext,
  pointer: string,
  fieldOf: (record: JsonObject) => unknown,
  signal: AbortSignal,
): Promise<SnapshotStart> {
  const query = {
    signal,
    sort: [`-${pointer}`],
    pageSize: 1,
    ...(filter === undefined ? {} : { filter }),
    ...(fields === undefined ? {} : { fields }),
  };
  for await (const { records, eventCursor } of readPages<JsonObject>(api, resource, query)) {
    if (eventCursor === undefined) break;
    const [last] = records;
    return { last: last && boundOf(fieldOf(last)), cursor: eventCursor };
  }
  throw new ResponseError('the resource has no event_cursor');
}

/** Counts records and reports how many there are. */
class Progress {
  readonly #context: SnapshotContext;
  readonly #before: number;
  readonly #tell: (progress: SnapshotProgress) => void;
  readonly #beganAtMs: number;
  #read = 0;

  /** @param before records that an earlier process has read */
  constructor(context: SnapshotContext, before: number, tell: (progress: SnapshotProgress) => void) {
    this.#context = context;
    this.#before = before;
    this.#tell = tell;
    this.#beganAtMs = context.nowMs();
  }

  add(records: number): void {
    this.#read += records;
    const { heldRecords } = this.#context;
    const seconds = (this.#context.nowMs() - this.#beganAtMs) / 1_000;
    this.#tell({
      records: this.#before + this.#read,
      estimatedRecords: heldRecords === 0 ? undefined : heldRecords,
      recordsPerSecond: seconds > 0 ? this.#read / seconds : 0,
    });
  }
}
