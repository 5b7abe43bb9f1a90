import type { GatewayStatus } from 'rostack-server';
import type { MoverStatus, Store } from 'rostack-store';

/** A gateway as operators see it: first it has nothing, then a store, then connections. */
export interface Running {
  readonly resources: readonly string[];
  /** Undefined until its tables are up to date. */
  readonly store: Store | undefined;
  /** Undefined until it serves. */
  readonly status: GatewayStatus | undefined;
  /** The tables that resources come from. */
  readonly tables: readonly MoverStatus[];
  readonly isDraining: boolean;
}
