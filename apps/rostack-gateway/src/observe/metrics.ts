import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServedHooks } from 'rostack-server';
import type { MetricsReport } from '../cluster/peers/messages.ts';
import { ALARM_KINDS, type AlarmKind } from './alarm-kinds.ts';
import type { CanaryMiss } from './health/canary.ts';
import type { Running } from './health/readiness.ts';
import { type ListenerConnections, registerStatusMetrics } from './status-metrics.ts';

const DURATION_BUCKETS_S = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];
/** Buckets for delays that users see, from imperceptible to obvious. */
const FRESHNESS_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const NONE = 'none';

/** The metrics of a gateway, for Prometheus. */
export interface Metrics {
  readonly hooks: ServedHooks;
  /** Counts an alarm of the store, or that a log lost changes. */
  readonly onAlarm: (kind: AlarmKind) => void;
  /** Counts a request to the admin listener without its token. */
  readonly onAdminRefused: (isLimited: boolean) => void;
  /** Records how long after the start of its write the canary's event arrived. */
  readonly onCanarySeen: (durationMs: number) => void;
  readonly onCanaryMissed: (reason: CanaryMiss) => void;
  readonly contentType: string;
  /** Returns the text of `/metrics`; asks the gateway and its store for it. */
  readonly read: () => Promise<string>;
  /** Returns the same metrics as data, to be added to those of other processes. */
  readonly report: () => Promise<MetricsReport>;
}

/**
 * Makes the metrics of one gateway.
 * @param options whether to include metrics of the process (memory, event loop) and of a canary
 */
export function createMetrics(
  running: Running,
  connections: () => ListenerConnections,
  options: { readonly process: boolean; readonly canary: boolean },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const all = (): Registry => (options.process ? Registry.merge([registry, processMetrics()]) : registry);
  const requests = new Counter({
    name: 'rostack_http_requests_total',
    help: 'Requests answered, by route (operation and resource), status and problem type.',
    labelNames: ['operation', 'resource', 'status', 'problem'],
    registers,
  });
  const durations = new Histogram({
    name: 'rostack_http_request_duration_seconds',
    help: 'Time until the answer was ready, by operation.',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const failures = new Counter({
    name: 'rostack_http_errors_total',
    help: 'Unexpected errors behind answers, by operation.',
    labelNames: ['operation'],
    registers,
  });
  const refusedCredentials = new Counter({
    name: 'rostack_authentication_failures_total',
    help: 'Credentials refused, by where (http, websocket, admin), why, and whether the address has to wait.',
    labelNames: ['via', 'reason', 'limited'],
    registers,
  });
  const closes = new Counter({
    name: 'rostack_websocket_closes_total',
    help: 'WebSocket connections that ended, by close code.',
    labelNames: ['code'],
    registers,
  });
  const errors = new Counter({
    name: 'rostack_websocket_errors_total',
    help: 'Errors sent on WebSocket connections, by code.',
    labelNames: ['code'],
    registers,
  });
  const refusals = new Counter({
    name: 'rostack_websocket_upgrades_refused_total',
    help: 'Upgrades refused, by HTTP status.',
    labelNames: ['status'],
    registers,
  });
  const alarms = new Counter({
    name: 'rostack_alarms_total',
    help: 'Alarms of the gateway and of the store, by kind.',
    labelNames: ['kind'],
    registers,
  });
  // Prometheus sees no increase in a counter that begins at 1.
  for (const kind of ALARM_KINDS) alarms.inc({ kind }, 0);
  const deliveries = new Histogram({
    name: 'rostack_delivery_seconds',
    help: 'From a change, or the commit of a row of an attached table, until its last event was written to a socket; by the clocks of writer and gateway, without replays.',
    labelNames: ['resource'],
    buckets: FRESHNESS_BUCKETS_S,
    registers,
  });
  const cached = new Gauge({
    name: 'rostack_page_cache_bytes',
    help: 'Size of the pages that are kept to be answered again.',
    registers,
  });
  const canary = createCanaryMetrics(options.canary ? registers : []);
  const askStore = registerStatusMetrics(registry, running, connections);
  return {
    hooks: {
      onRequest: ({
        operation = NONE,
        resource = NONE,
        status,
        problem = NONE,
        durationMs,
        refusal,
        pageCacheBytes,
      }) => {
        requests.inc({ operation, resource, status, problem });
        if (refusal !== undefined) {
          const limited = String(problem === 'rate-limited');
          refusedCredentials.inc({ via: 'http', reason: refusal, limited });
        }
        durations.observe({ operation }, durationMs / 1_000);
        if (pageCacheBytes !== undefined) cached.set(pageCacheBytes);
      },
      onError: (_error, { operation = NONE }) => failures.inc({ operation }),
      onAlarm: ({ kind }) => alarms.inc({ kind }),
      onUpgradeRefused: (status) => refusals.inc({ status }),
      onAuthenticationFailed: (_connection, reason, isLimited) =>
        refusedCredentials.inc({ via: 'websocket', reason, limited: String(isLimited) }),
      onErrorSent: (_connection, code) => errors.inc({ code }),
      onClosed: (_connection, code) => closes.inc({ code: closeLabel(code) }),
      onDelivered: ({ resource, ageMs }) => deliveries.observe({ resource }, ageMs / 1_000),
    },
    onAlarm: (kind) => alarms.inc({ kind }),
    onAdminRefused: (isLimited) =>
      refusedCredentials.inc({ via: 'admin', reason: 'unknown', limited: String(isLimited) }),
    onCanarySeen: (durationMs) => canary.durations.observe(durationMs / 1_000),
    onCanaryMissed: (reason) => canary.misses.inc({ reason }),
    contentType: registry.contentType,
    read: async () => {
      await askStore();
      return all().metrics();
    },
    report: async () => {
      await askStore();
      return all().getMetricsAsJSON();
    },
  };
}

function createCanaryMetrics(registers: Registry[]) {
  return {
    durations: new Histogram({
      name: 'rostack_canary_seconds',
      help: 'From the write of the canary record until a client had its event.',
      buckets: FRESHNESS_BUCKETS_S,
      registers,
    }),
    misses: new Counter({
      name: 'rostack_canary_missed_total',
      help: 'Beats of the canary that no client saw in time, by reason.',
      labelNames: ['reason'],
      registers,
    }),
  };
}

/** A peer may close with any code, so unknown ones share a label. */
function closeLabel(code: number): string {
  return (code >= 1_000 && code <= 1_015) || [4_400, 4_401, 4_403, 4_408, 4_410, 4_429, 4_500].includes(code)
    ? String(code)
    : 'other';
}

let collected: Registry | undefined;

/**
 * Metrics of this process (memory, event loop, garbage collection), collected from the first call on and shared by everything that runs in
 * it. prom-client's observers cannot be stopped: with one registry each, closed gateways would stay in memory.
 */
function processMetrics(): Registry {
  if (collected === undefined) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
