import type { JsonSchema, Transition } from 'rostack-core';
import type { EventsByTransition, Store } from 'rostack-store';
import type { ImportCheckpoint, ImportCounts } from './import-checkpoint.ts';
import type { ImportInput } from './import-file.ts';
import type { RejectsSink } from './rejects-file.ts';

export type ImportFormat = { readonly kind: 'ndjson' } | { readonly kind: 'csv'; readonly delimiter: string };

/** Deletes the records that are not in the file, once it was read to its end. */
export interface DeleteMissing {
  /** Deletes although lines were refused; records whose id can be read in a refused line stay. */
  readonly despiteRefused: boolean;
}

export interface ImportOptions {
  readonly store: Pick<Store, 'apply' | 'check' | 'source'>;
  readonly resource: {
    readonly name: string;
    readonly idPath: readonly string[];
    readonly schema: JsonSchema;
    /** By name. */
    readonly events: ReadonlyMap<string, { readonly transition: Transition }>;
  };
  readonly input: ImportInput;
  readonly format: ImportFormat;
  readonly checkpoint: ImportCheckpoint;
  readonly rejects: RejectsSink;
  readonly maxRecordBytes: number;
  /** Events to log where a resource has several for a transition. @default the only one */
  readonly events?: EventsByTransition;
  /** Checks everything and writes nothing. @default false */
  readonly dryRun?: boolean;
  readonly deleteMissing?: DeleteMissing | undefined;
  /** Called after each batch. */
  readonly onProgress?: (counts: ImportCounts) => void;
  /** Stops after the batch under way. */
  readonly stop?: AbortSignal | undefined;
  /** Waits before a store that was not available is tried again. @default 1000 */
  readonly retryDelayMs?: number;
}

/** The result of an import. */
export interface ImportReport {
  readonly counts: ImportCounts;
  /** False when it was stopped: the same import goes on where it was. */
  readonly isComplete: boolean;
  /** Line after which it went on, when an earlier run had begun. */
  readonly resumedAfterLine: number | undefined;
  /** Undefined where deletion was not asked for, or refused: `notDeleted` says why. */
  readonly deleted: number | undefined;
  readonly notDeleted: 'stopped' | 'lines_refused' | 'no_records' | undefined;
}
