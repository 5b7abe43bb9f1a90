import type { Dials } from '../../cluster/peers/dials.ts';
import type { Readiness } from '../../cluster/peers/readiness.ts';
import { nextSteps } from './next-steps.ts';

/** What `rostack-gateway status` prints: the members of `/readyz`, and more. */
export interface GatewayReport extends Omit<Readiness, 'isReady'> {
  readonly status: 'ready' | 'not_ready';
  /** Absent without TLS. */
  readonly certificate?: { readonly expiresAt: string };
  /** Open WebSockets, and by resource how its followers are doing. */
  readonly followers: {
    readonly connections: number;
    readonly resources: Dials['followers'];
  };
  /** The most active ones first. */
  readonly principals: Dials['principals'];
  /** The latest alarms first. */
  readonly alarms: readonly {
    readonly at: string;
    readonly kind: string;
    readonly message: string;
    readonly count: number;
  }[];
  /** What an operator should do now; empty if nothing. */
  readonly next: readonly string[];
}

/** @param nowMs milliseconds since 1970 */
export function gatewayReport(readiness: Readiness, dials: Dials, nowMs: number): GatewayReport {
  const { isReady, ...findings } = readiness;
  const { certificateExpiresAtMs, connections, followers, principals, alarms } = dials;
  return {
    status: isReady ? 'ready' : 'not_ready',
    ...findings,
    ...(certificateExpiresAtMs !== undefined && {
      certificate: { expiresAt: new Date(certificateExpiresAtMs).toISOString() },
    }),
    followers: { connections, resources: followers },
    principals,
    alarms: alarms.map(({ atMs, ...alarm }) => ({ at: new Date(atMs).toISOString(), ...alarm })),
    next: nextSteps(readiness, dials, nowMs),
  };
}
