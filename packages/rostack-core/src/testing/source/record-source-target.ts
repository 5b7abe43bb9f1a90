import type { JsonObject } from '../../json/json.ts';
import type { RecordId } from '../../record/record-id.ts';
import type { RecordSource } from '../../record/record-source.ts';
import type { ConformanceOptions } from '../check/conformance-check.ts';
import type { SampleRecords } from './sample-records.ts';

/** How the checks make and change the source of somebody. `T` is what holds the source, or the source itself. */
export interface RecordSourceTarget<T> {
  /** Makes one that is empty, whose log begins at position 0; called for each check. */
  readonly open: () => T | Promise<T>;
  /** The source of what was opened. */
  readonly source: (opened: T) => RecordSource;
  /**
   * Writes a record, in the place of the one with its id; resolves when that change, and no other, is in the log.
   * @param id text of the record's id
   */
  readonly put: (opened: T, record: JsonObject, id: string) => unknown;
  /** Deletes a record, which is there, by its member `id`; resolves when that change, and no other, is in the log. */
  readonly delete: (opened: T, id: RecordId) => unknown;
  /** Drops all changes so far from the log, whose floor becomes its head. Without it nothing is checked of pruned logs. */
  readonly prune?: (opened: T) => unknown;
  /** Takes away what the source reads from. Without it nothing is checked of outages. */
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
