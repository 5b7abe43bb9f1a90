import type { ImplementationTypes, Typed } from 'rostack-core';
import type { PoolStatus } from './database/database.ts';
import type { WriteFault } from './database/write-health.ts';
import type { StoreAlarm } from './errors/index.ts';
import type { HintBus } from './hints/hint-bus.ts';
import type { ResourceDefinition } from './resource/resource-definition.ts';
import type { StorableResource } from './resource/to-resource-definition.ts';

/** How much of the log and of past versions is kept; what goes beyond any of the bounds is pruned. */
export interface RetentionOptions {
  /**
   * Age of the oldest change that is kept, in ms; at least 0.
   * @default 604800000 (7 days)
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * Changes that are kept of each resource; at least 0.
   * @default 1000000
   */
  readonly maxChanges?: number | undefined;
  /**
   * Bytes of past record bodies that are kept of each resource; at least 0.
   * @default 1073741824 (1 GiB)
   */
  readonly maxBytes?: number | undefined;
  /**
   * How often the store prunes by itself, in ms; 0: only when `prune` is called.
   * @default 60000
   */
  readonly intervalMs?: number | undefined;
}

/** Whether a store writes, or reads what a standby of PostgreSQL has replayed. */
export type StoreRole = 'primary' | 'replica';

/** How a store keeps records, wherever they are and whichever they are. */
export interface StoreSettings {
  /**
   * `replica`: the URL leads to a standby of PostgreSQL, whose tables a store at the primary has made. It is read only, others' writes
   * are found by polling and by `hints`, and a position beyond what the standby has replayed is awaited for `readTimeoutMs`, then
   * unavailable: it is refused only once the standby was promoted.
   * @default 'primary'
   */
  readonly role?: StoreRole | undefined;
  /**
   * How much of the log is kept.
   * @default 7 days, 1,000,000 changes and 1 GiB for each resource
   */
  readonly retention?: RetentionOptions | undefined;
  /** SQLite: `normal` may lose the last changes when the machine (not the process) dies. @default 'full' */
  readonly synchronous?: 'full' | 'normal' | undefined;
  /** PostgreSQL: the schema that holds the tables; made when it is missing. @default 'rostack' */
  readonly schema?: string | undefined;
  /**
   * PostgreSQL behind a pooler: a URL of the same database without the pooler, for the one connection that listens for hints. Without it
   * others' writes are found by polling. @default the URL of the store, where it leads to the server itself
   */
  readonly directUrl?: string | undefined;
  /**
   * PostgreSQL: connections at most, one of them to listen for hints. 2 to 10,000.
   * @default 10
   */
  readonly maxConnections?: number | undefined;
  /**
   * Pages that no index bounds which are read at once, by one store: on SQLite each in a thread of its own (in memory one, in pieces),
   * on PostgreSQL each on a connection. Others wait for their turn. 1 to 16; with
   * more than 1 the write-ahead log of SQLite may grow for as long as long pages follow each other without a pause.
   * @default 1
   */
  readonly maxLongReads?: number | undefined;
  /**
   * Time for one page or read, in ms, after which `source_unavailable` ends it. At least 1.
   * @default 2000
   */
  readonly readTimeoutMs?: number | undefined;
  /**
   * Time for one write, waiting for other writers included, in ms. At least 1.
   * @default 10000
   */
  readonly writeTimeoutMs?: number | undefined;
  /**
   * How often other processes' writes are looked for while someone watches, with or without hints, in ms. At least
   * 10.
   * @default 500
   */
  readonly pollIntervalMs?: number | undefined;
  /** Carries hints between processes instead of PostgreSQL's NOTIFY; the caller closes it after the store. @default NOTIFY */
  readonly hints?: HintBus | undefined;
  /**
   * The longest JSON text of a record, in bytes of UTF-8. At least 1.
   * @default 1048576
   */
  readonly maxRecordBytes?: number | undefined;
  /** Wall clock in milliseconds since 1970; a call that needs it fails when it throws or gives no time. @default Date.now */
  readonly nowMs?: (() => number) | undefined;
  /** A new random id: 8 to 64 letters, digits, `-` and `_`, without a repeat ever, not in the last 8 of them either. @default 12 random bytes */
  readonly randomId?: (() => string) | undefined;
  /** What it throws is shown by `process.emitWarning`. @default process.emitWarning */
  readonly onAlarm?: ((alarm: StoreAlarm) => void) | undefined;
}

/** The resources of an implementation, or some that were defined by hand where there is none. */
type StoreContents<Types> =
  | {
      /** What `defineImplementation` of rostack-core returns, as far as its resources. */
      readonly implementation: Typed<Types> & {
        readonly resources: Readonly<Record<string, StorableResource>>;
      };
      readonly resources?: undefined;
    }
  | { readonly resources: readonly ResourceDefinition[]; readonly implementation?: undefined };

/** Where a store is, what it keeps, and how. */
export type StoreOptions<Types extends ImplementationTypes = ImplementationTypes> = StoreSettings &
  StoreContents<Types> & {
    /** `sqlite:<file>` (missing folders are made), `sqlite::memory:`, or `postgres://user:password@host:port/database` */
    readonly url: string;
  };

/** What a store is doing now. */
export interface StoreStatus {
  /** Which database it is. */
  readonly dialect: 'sqlite' | 'postgres';
  /** Version of the tables, which this release has brought them to. */
  readonly schemaVersion: number;
  /** Batches that wait to be written. */
  readonly waitingBatches: number;
  /** Connections; undefined for SQLite, which has one. */
  readonly pool: PoolStatus | undefined;
  /** Prepared statements of the connection that writes, which are kept; undefined for PostgreSQL, where connections have their own. */
  readonly statements: number | undefined;
  /** Set from a write that failed on, until `apply` or `tryWrite` has written again. */
  readonly writeFault: WriteFault | undefined;
}

/** The options with every default in place. */
export interface ResolvedStoreOptions {
  readonly role: StoreRole;
  readonly retention: Required<{ [Name in keyof RetentionOptions]: number }>;
  readonly synchronous: 'full' | 'normal';
  readonly schema: string;
  readonly directUrl: string | undefined;
  readonly maxConnections: number;
  readonly maxLongReads: number;
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly pollIntervalMs: number;
  readonly hints: HintBus | undefined;
  readonly maxRecordBytes: number;
  readonly nowMs: () => number;
  readonly randomId: () => string;
  /** A tag for a transaction that is about to write. */
  readonly newTag: () => string;
  readonly onAlarm: (alarm: StoreAlarm) => void;
}
