import type { Logger } from 'pino';
import type { Store } from 'rostack-store';
import type { Health } from '../cluster/peers/peers-health.ts';
import type { Running } from '../observe/health/readiness.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { GatewayReport } from '../observe/status/gateway-report.ts';
import type { AdminFailures } from './admin-authentication.ts';
import { AdminProblem } from './admin-problem.ts';

export interface AdminAppOptions {
  /** The token that callers have to present. */
  readonly token: string;
  readonly failures: AdminFailures;
  readonly running: Running;
  readonly health: Health;
  /** Reads everything that operators are shown, of all processes. */
  readonly report: () => Promise<GatewayReport>;
  /** Undefined if there is no `/metrics`. */
  readonly metrics: Metrics | undefined;
  /** Path to the id in a record, by name of the resource. */
  readonly idPaths: ReadonlyMap<string, readonly string[]>;
  /** Resources that cannot be written here, and what feeds them instead. */
  readonly readOnly: ReadonlyMap<string, string>;
  readonly maxRecordBytes: number;
  readonly logger: Logger;
}

/** The store, for writing one resource. @throws AdminProblem if there is no such resource, or another source feeds it */
export function writableStore({ running, readOnly, idPaths }: AdminAppOptions, resource: string): Store {
  const { store } = running;
  if (!idPaths.has(resource)) {
    throw new AdminProblem('resource_unknown', `There is no resource ${JSON.stringify(resource)}.`);
  }
  const source = readOnly.get(resource);
  if (source !== undefined) {
    throw new AdminProblem('resource_read_only', `${resource} comes from ${source}: write there.`);
  }
  if (store === undefined) {
    throw new AdminProblem('store_unavailable', 'The gateway is starting.', {
      headers: { 'Retry-After': '1' },
    });
  }
  return store;
}
