import {
  anInteger,
  type GivenOptions,
  type ImplementationTypes,
  type OptionValues,
  option,
  type Typed,
} from 'rostack-core';
import type { PoolStatus } from '../drivers/database.ts';
import type { WriteFault } from '../drivers/write-health.ts';
import type { StoreAlarm } from '../errors/index.ts';
import type { HintBus } from '../log/hints/hint-bus.ts';
import type { CompositeIndex, ResourceDefinition } from '../schema/resource/resource-definition.ts';
import type { StorableResource } from '../schema/resource/to-resource-definition.ts';
import { MAX_DELAY_MS } from './options/max-delay.ts';

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

/** What is kept, and how often the rest is pruned. */
export const RETENTION = {
  /**
   * Age of the oldest change that is kept, in ms; at least 0.
   * @default 604800000 (7 days)
   */
  maxAgeMs: option(anInteger(0), 7 * DAY_MS),
  /**
   * How many changes are kept for each resource; at least 0.
   * @default 1000000
   */
  maxChanges: option(anInteger(0), 1_000_000),
  /**
   * How many bytes of past record bodies are kept for each resource; at least 0.
   * @default 1073741824 (1 GiB)
   */
  maxBytes: option(anInteger(0), 1_024 * MIB),
  /**
   * How often the store prunes by itself, in ms; 0 means only when `prune` is called.
   * @default 60000
   */
  intervalMs: option(anInteger(0, MAX_DELAY_MS), 60_000),
};

/** How much of the log and of past versions is kept; anything beyond one of the limits is pruned. */
export interface RetentionOptions extends GivenOptions<typeof RETENTION> {}

/** Whether a store writes, or only reads what a standby of PostgreSQL has replayed. */
export type StoreRole = 'primary' | 'replica';

/** Sizes and times of a store. */
export const STORE_NUMBERS = {
  /**
   * PostgreSQL: the most connections, one of which listens for hints. 2 to 10,000.
   * @default 10
   */
  maxConnections: option(anInteger(2, 10_000), 10),
  /**
   * How many pages that no index limits one store reads at the same time: on SQLite each in its own thread (for a database in memory only
   * one, in pieces), on PostgreSQL each on a connection. Others wait their turn. 1 to 16. With more than 1, SQLite's write-ahead log may
   * grow while long pages follow each other without a pause.
   * @default 1
   */
  maxLongReads: option(anInteger(1, 16), 1),
  /**
   * Time limit for one page or read, in ms, after which it fails with `source_unavailable`. At least 1.
   * @default 2000
   */
  readTimeoutMs: option(anInteger(1, MAX_DELAY_MS), 2_000),
  /**
   * Time limit for one write, including the wait for other writers, in ms. At least 1.
   * @default 10000
   */
  writeTimeoutMs: option(anInteger(1, MAX_DELAY_MS), 10_000),
  /**
   * How often to check for other processes' writes while someone is watching, with or without hints, in ms. At least 10.
   * @default 500
   */
  pollIntervalMs: option(anInteger(10, MAX_DELAY_MS), 500),
  /**
   * The longest JSON text of a record, in bytes of UTF-8. At least 1.
   * @default 1048576
   */
  maxRecordBytes: option(anInteger(1), MIB),
};

/** How a store keeps records, independently of which they are and where. */
export interface StoreSettings extends GivenOptions<typeof STORE_NUMBERS> {
  /**
   * `replica`: the URL is that of a PostgreSQL standby, whose tables were created by a store on the primary. The store is read-only and
   * finds writes by polling and by `hints`. It waits up to `readTimeoutMs` for a position that the standby has not replayed yet; after that
   * the position is unavailable. Such a position is refused only once the standby was promoted.
   * @default 'primary'
   */
  readonly role?: StoreRole | undefined;
  /**
   * How much of the log is kept.
   * @default 7 days, 1,000,000 changes and 1 GiB for each resource
   */
  readonly retention?: RetentionOptions | undefined;
  /** SQLite: `normal` may lose the last changes if the machine (not the process) dies. @default 'full' */
  readonly synchronous?: 'full' | 'normal' | undefined;
  /** PostgreSQL: the schema that holds the tables; created if it is missing. @default 'rostack' */
  readonly schema?: string | undefined;
  /**
   * PostgreSQL behind a pooler: a URL of the same database without the pooler, for the one connection that listens for hints. Without it,
   * other processes' writes are found by polling.
   * @default the URL of the store, if it leads to the server itself
   */
  readonly directUrl?: string | undefined;
  /**
   * For each resource, by name, which pairs of fields share an index, for pages that are filtered by one value and sorted by another field:
   * the last orders of one customer, say. Without it such a page looks through all records of that value, or all in that order. An index
   * that is added or left out is created or dropped when the store is opened.
   * @default none
   */
  readonly compositeIndexes?: Readonly<Record<string, readonly CompositeIndex[]>> | undefined;
  /** Carries hints between processes instead of PostgreSQL's NOTIFY; the caller closes it after the store. @default NOTIFY */
  readonly hints?: HintBus | undefined;
  /** Wall clock in milliseconds since 1970; a call that needs it fails if it throws or gives no time. @default Date.now */
  readonly nowMs?: (() => number) | undefined;
  /**
   * Returns a new random id: 8 to 64 letters, digits, `-` and `_`. Neither an id nor its last 8 characters may ever repeat.
   * @default 12 random bytes
   */
  readonly randomId?: (() => string) | undefined;
  /** Called with each alarm; its errors go to `process.emitWarning`. @default process.emitWarning */
  readonly onAlarm?: ((alarm: StoreAlarm) => void) | undefined;
}

/** The resources of an implementation, or resources defined by hand if there is none. */
type StoreContents<Types> =
  | {
      /** What `defineImplementation` of rostack-core returns; only its resources are used. */
      readonly implementation: Typed<Types> & {
        readonly resources: Readonly<Record<string, StorableResource>>;
      };
      readonly resources?: undefined;
    }
  | { readonly resources: readonly ResourceDefinition[]; readonly implementation?: undefined };

/** Where a store keeps its data, which data, and how. */
export type StoreOptions<Types extends ImplementationTypes = ImplementationTypes> = StoreSettings &
  StoreContents<Types> & {
    /** `sqlite:<file>` (missing folders are created), `sqlite::memory:`, or `postgres://user:password@host:port/database` */
    readonly url: string;
  };

/** What a store is doing now. */
export interface StoreStatus {
  /** Which database it is. */
  readonly dialect: 'sqlite' | 'postgres';
  /** Version of the tables, as upgraded by this release. */
  readonly schemaVersion: number;
  /** Number of batches waiting to be written. */
  readonly waitingBatches: number;
  /** The connection pool; undefined for SQLite, which has one connection. */
  readonly pool: PoolStatus | undefined;
  /** Number of prepared statements kept by the writing connection; undefined for PostgreSQL, where each connection has its own. */
  readonly statements: number | undefined;
  /** Set after a failed write, until `apply` or `tryWrite` has written again; also once a file of SQLite was removed or replaced while it was open. */
  readonly writeFault: WriteFault | undefined;
}

/** The options with every default in place. */
export interface ResolvedStoreOptions extends OptionValues<typeof STORE_NUMBERS> {
  readonly role: StoreRole;
  readonly retention: OptionValues<typeof RETENTION>;
  readonly synchronous: 'full' | 'normal';
  readonly schema: string;
  readonly directUrl: string | undefined;
  readonly hints: HintBus | undefined;
  readonly nowMs: () => number;
  readonly randomId: () => string;
  /** Makes a tag for a transaction that is about to write. */
  readonly newTag: () => string;
  readonly onAlarm: (alarm: StoreAlarm) => void;
}
