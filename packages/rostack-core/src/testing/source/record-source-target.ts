import type { RecordSource } from '../../record/record-source.ts';
import type { JsonObject, RecordId } from '../../text/json.ts';
import type { ConformanceOptions } from '../check/conformance-check.ts';
import type { SampleRecords } from './sample-records.ts';

/** How the checks make and change your source. `T` is what holds the source, or the source itself. */
export interface RecordSourceTarget<T> {
  /** Makes an empty one, whose log begins at position 0; called for each check. */
  readonly open: () => T | Promise<T>;
  /** The source of what was opened. */
  readonly source: (opened: T) => RecordSource;
  /**
   * Writes a record, replacing the one with the same id; resolves when that change, and no other, is in the log.
   * @param id text of the record's id
   */
  readonly put: (opened: T, record: JsonObject, id: string) => unknown;
  /** Deletes an existing record by its member `id`; resolves when that change, and no other, is in the log. */
  readonly delete: (opened: T, id: RecordId) => unknown;
  /** Drops all changes so far from the log, whose floor becomes its head. Without it, pruned logs are not checked. */
  readonly prune?: (opened: T) => unknown;
  /** Cuts the source off from what it reads. Without it, outages are not checked. */
  readonly cutOff?: (opened: T) => unknown;
  /**
   * Frees what was opened; called at the end of each check.
   * @default nothing
   */
  readonly close?: (opened: T) => unknown;
  /** @default `MIXED_RECORDS`, for a source that takes any record */
  readonly sample?: SampleRecords;
}

/** Options of `recordSourceChecks`. */
export interface RecordSourceCheckOptions extends ConformanceOptions {
  /** The longest wait for a hint of `watch`, in ms. @default 5000 */
  readonly hintTimeoutMs?: number;
}
