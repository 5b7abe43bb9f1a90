import type { Logger } from 'pino';
import type { Metrics } from '../observe/metrics.ts';
import type { ReadinessCheck } from '../observe/readiness.ts';
import type { Running } from '../observe/running.ts';
import type { AdminFailures } from './admin-authentication.ts';

export interface AdminAppOptions {
  /** What callers present. */
  readonly token: string;
  readonly failures: AdminFailures;
  readonly running: () => Running;
  readonly readiness: ReadinessCheck;
  /** Undefined: there is no `/metrics`. */
  readonly metrics: Metrics | undefined;
  /** Way to the id in a record, by name of the resource. */
  readonly idPaths: ReadonlyMap<string, readonly string[]>;
  /** Names of the resources that another source feeds, with the source: they are not written here. */
  readonly readOnly: ReadonlyMap<string, string>;
  readonly maxRecordBytes: number;
  readonly logger: Logger;
}
