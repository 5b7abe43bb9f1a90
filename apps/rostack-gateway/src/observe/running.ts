import type { GatewayStatus } from 'rostack-server';
import type { Store } from 'rostack-store';

/** A gateway as operators see it: first it has nothing, then a store, then connections. */
export interface Running {
  readonly resources: readonly string[];
  /** Undefined until its tables are up to date. */
  readonly store: Store | undefined;
  /** Undefined until it serves. */
  readonly status: GatewayStatus | undefined;
  readonly isDraining: boolean;
}
