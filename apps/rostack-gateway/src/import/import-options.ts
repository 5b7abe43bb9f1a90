import type { JsonSchema, Transition } from 'rostack-core';
import type { EventsByTransition, Store } from 'rostack-store';
import type { ImportCheckpoint, ImportCounts } from './import-checkpoint.ts';
import type { ImportInput } from './import-file.ts';
import type { RejectsSink } from './rejects-file.ts';

export type ImportFormat = { readonly kind: 'ndjson' } | { readonly kind: 'csv'; readonly delimiter: string };

/** Deletes the records that are not in the file, once it has been read to the end. */
export interface DeleteMissing {
  /** Whether to delete even if lines were refused; records whose id can be read in a refused line stay. */
  readonly despiteRefused: boolean;
}

export interface ImportOptions {
  readonly store: Pick<Store, 'apply' | 'check' | 'source'>;
  readonly resource: {
    readonly name: string;
    readonly idPath: readonly string[];
    readonly schema: JsonSchema;
    /** Events by name. */
    readonly events: ReadonlyMap<string, { readonly transition: Transition }>;
  };
  readonly input: ImportInput;
  readonly format: ImportFormat;
  readonly checkpoint: ImportCheckpoint;
  readonly rejects: RejectsSink;
  readonly maxRecordBytes: number;
  /** Which event to log if a resource has several for a transition. @default the only one */
  readonly events?: EventsByTransition;
  /** Checks everything and writes nothing. @default false */
  readonly dryRun?: boolean;
  readonly deleteMissing?: DeleteMissing | undefined;
  /** Called after each batch. */
  readonly onProgress?: (counts: ImportCounts) => void;
  /** Stops the import after the current batch. */
  readonly stop?: AbortSignal | undefined;
  /** How long to wait before retrying a store that was not available, in ms; longer with each attempt. @default 1000 */
  readonly retryDelayMs?: number;
}

/** The result of an import. */
export interface ImportReport {
  readonly counts: ImportCounts;
  /** False if it was stopped: running the same import again continues where it was. */
  readonly isComplete: boolean;
  /** Line after which it continued an earlier run; undefined if there was none. */
  readonly resumedAfterLine: number | undefined;
  /** Number of deleted records; undefined if deletion was not requested, or was refused: `notDeleted` says why. */
  readonly deleted: number | undefined;
  readonly notDeleted: 'stopped' | 'cut_off' | 'lines_refused' | 'no_records' | undefined;
}
