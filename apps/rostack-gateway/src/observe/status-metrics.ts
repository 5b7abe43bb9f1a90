import { Counter, Gauge, type Registry } from 'prom-client';
import type { Head } from 'rostack-core';
import type { ResourceStatus } from 'rostack-server';
import type { MoverStatus } from 'rostack-store';
import type { ConnectionCounts } from '../serving/listener/connection-guard.ts';
import type { Running } from './health/readiness.ts';

/** The connections of each listener. */
export interface ListenerConnections {
  readonly data: ConnectionCounts;
  readonly admin?: ConnectionCounts;
}

type Labels = Readonly<Record<string, string>>;
type Samples = Iterable<readonly [Labels, number]>;

type Register = (name: string, help: string, labelNames: string[], samples: () => Samples) => void;
type SampledMetrics = Readonly<Record<'counter' | 'gauge', Register>>;

/** How a gauge of several processes is combined into one; all others are added up. */
const AGGREGATORS: Readonly<Record<string, 'min' | 'max'>> = {
  rostack_certificate_expires_at: 'min',
  rostack_draining: 'min',
  rostack_log_floor_position: 'max',
  rostack_log_head_position: 'max',
  rostack_oldest_cursor_lag_changes: 'max',
  rostack_oldest_cursor_retention_margin_changes: 'min',
  rostack_rates_not_shared: 'max',
  rostack_replay_stalled_seconds: 'max',
  rostack_store_up: 'min',
  rostack_store_write_failing_seconds: 'max',
  rostack_table_failing_seconds: 'max',
  rostack_table_oldest_unmoved_seconds: 'max',
  rostack_tail_failing_seconds: 'max',
  rostack_tail_lag_changes: 'max',
  rostack_tail_lag_seconds: 'max',
};

/** Metrics whose values are read from the running gateway each time Prometheus asks. */
function sampledMetrics(registry: Registry): SampledMetrics {
  const kind =
    (Metric: typeof Counter<string> | typeof Gauge<string>): Register =>
    (name, help, labelNames, samples) => {
      const collect = function collect(this: Counter<string> | Gauge<string>): void {
        this.reset();
        for (const [labels, value] of samples()) this.inc(labels, value);
      };
      const aggregator = AGGREGATORS[name] ?? 'sum';
      registry.registerMetric(new Metric({ name, help, labelNames, registers: [], collect, aggregator }));
    };
  return { counter: kind(Counter), gauge: kind(Gauge) };
}

/** A metric with a sample for each item that has a value. */
const perResource =
  <Item extends { readonly resource: string }>(register: Register, items: () => readonly Item[]) =>
  (name: string, help: string, read: (item: Item) => number | undefined): void =>
    register(name, help, ['resource'], () =>
      items().flatMap((item) => {
        const value = read(item);
        return value === undefined ? [] : [[{ resource: item.resource }, value] as const];
      }),
    );

/** Registers the metrics of connections, store, logs and tables. The returned function queries the store: call it before each reading. */
export function registerStatusMetrics(
  registry: Registry,
  running: Running,
  connections: () => ListenerConnections,
): () => Promise<void> {
  const sampled = sampledMetrics(registry);
  registerConnections(sampled, connections);
  registerGateway(sampled, running);
  registerTables(sampled, running);
  registerTails(sampled, running);
  return registerLogs(sampled, running);
}

function registerConnections(
  { counter, gauge }: SampledMetrics,
  connections: () => ListenerConnections,
): void {
  const each = (): readonly [string, ConnectionCounts][] => Object.entries(connections());
  gauge(
    'rostack_connections',
    'Open TCP connections, WebSockets among them, by listener.',
    ['listener'],
    () => each().map(([listener, { open }]) => [{ listener }, open]),
  );
  counter(
    'rostack_connections_refused_total',
    'Connections closed at once, because there were too many in total, or from their address.',
    ['listener', 'reason'],
    () =>
      each().flatMap(([listener, { refusedInAll, refusedPerAddress }]) => [
        [{ listener, reason: 'in_all' }, refusedInAll],
        [{ listener, reason: 'per_address' }, refusedPerAddress],
      ]),
  );
  counter(
    'rostack_connections_timed_out_total',
    'Connections closed because the TLS handshake or a request did not arrive in time.',
    ['listener', 'reason'],
    () =>
      each().flatMap(([listener, { handshakeTimeouts, requestTimeouts }]) => [
        [{ listener, reason: 'handshake' }, handshakeTimeouts],
        [{ listener, reason: 'request' }, requestTimeouts],
      ]),
  );
}

function registerGateway({ gauge }: SampledMetrics, running: Running): void {
  const single = (name: string, help: string, read: () => number | undefined): void =>
    gauge(name, help, [], () => [[{}, read() ?? 0]]);
  single('rostack_websocket_connections', 'Open WebSocket connections.', () => running.status?.connections);
  single('rostack_websocket_subscriptions', 'Subscriptions.', () => running.status?.subscriptions);
  single(
    'rostack_websocket_paused_connections',
    'Connections that take no events until their socket drains.',
    () => running.status?.pausedConnections,
  );
  single(
    'rostack_websocket_buffered_bytes',
    'Bytes that wait in congested connections.',
    () => running.status?.bufferedBytes,
  );
  gauge(
    'rostack_certificate_expires_at',
    'When the certificate of the data listener expires, in seconds since 1970; absent without TLS.',
    [],
    () => {
      const expiresAtMs = running.certificateExpiresAtMs;
      return expiresAtMs === undefined ? [] : [[{}, expiresAtMs / 1_000]];
    },
  );
  single('rostack_draining', '1 while the gateway drains.', () => Number(running.isDraining));
  single('rostack_rates_not_shared', '1 while rates that should be shared are counted alone.', () =>
    Number(running.countsAlone),
  );
  single(
    'rostack_store_write_failing_seconds',
    'Time since the first of the writes that failed; 0 while writes work.',
    () => (running.store?.status.writeFault?.forMs ?? 0) / 1_000,
  );
  single(
    'rostack_store_waiting_batches',
    'Batches that wait to be written.',
    () => running.store?.status.waitingBatches,
  );
  single(
    'rostack_store_statements',
    'Prepared statements that are kept for SQLite; 0 for PostgreSQL.',
    () => running.store?.status.statements,
  );
  single(
    'rostack_store_pool_max',
    'Most connections to PostgreSQL; 0 for SQLite.',
    () => running.store?.status.pool?.max,
  );
  gauge(
    'rostack_store_pool_connections',
    'Connections to PostgreSQL, by state; waiting: work without a connection.',
    ['state'],
    () => {
      const { total = 0, idle = 0, waiting = 0 } = running.store?.status.pool ?? {};
      return [
        [{ state: 'busy' }, total - idle],
        [{ state: 'idle' }, idle],
        [{ state: 'waiting' }, waiting],
      ];
    },
  );
}

function registerTables(sampled: SampledMetrics, running: Running): void {
  sampled.gauge(
    'rostack_table_state',
    '1 for what this process does for a table: standby, loading, following, failing, or stopped.',
    ['resource', 'state'],
    () => running.tables.map(({ resource, state }) => [{ resource, state }, 1]),
  );
  const gauge = perResource<MoverStatus>(sampled.gauge, () => running.tables);
  gauge(
    'rostack_table_failing_seconds',
    'How long moving the rows of a table has failed; 0 while it works.',
    ({ fault }) => (fault?.forMs ?? 0) / 1_000,
  );
  gauge(
    'rostack_table_oldest_unmoved_seconds',
    'Age of the oldest change of a table that is not in the log; 0 if there is none.',
    ({ oldestUnmovedMs }) => oldestUnmovedMs / 1_000,
  );
  gauge(
    'rostack_table_rows_loaded',
    'Rows copied since copying the table last began.',
    (table) => table.loadedRows,
  );
  gauge(
    'rostack_table_rows_estimated',
    'About how many rows a table has that is being copied; absent otherwise, or if that is not known.',
    (table) => table.estimatedRows,
  );
  const counter = perResource<MoverStatus>(sampled.counter, () => running.tables);
  counter('rostack_table_rows_moved_total', 'Changed rows moved into the log.', (table) => table.movedRows);
  counter(
    'rostack_table_rows_refused_total',
    'Rows that the resource refused, counted each time.',
    (table) => table.refusedRows,
  );
}

/** Registers how the gateway reads the log of each resource and passes it on. */
function registerTails(sampled: SampledMetrics, running: Running): void {
  const each = () => running.status?.resources ?? [];
  const counter = perResource<ResourceStatus>(sampled.counter, each);
  counter('rostack_log_changes_total', 'Changes read from the log.', (tail) => tail.changes);
  counter('rostack_events_total', 'Events handed to WebSocket connections.', (tail) => tail.events);
  counter('rostack_ring_hits_total', 'Catch-up reads answered from memory.', (tail) => tail.ringHits);
  counter('rostack_ring_misses_total', 'Catch-up reads that went to the log.', (tail) => tail.ringMisses);
  const gauge = perResource<ResourceStatus>(sampled.gauge, each);
  gauge('rostack_ring_bytes', 'Rough size of the newest changes in memory.', (tail) => tail.ringBytes);
  gauge('rostack_resource_subscriptions', 'Subscriptions of a resource.', (tail) => tail.subscriptions);
  gauge(
    'rostack_tail_lag_seconds',
    'Time since the gateway was last at the head of the log; absent until somebody has subscribed.',
    ({ behindMs }) => (behindMs === undefined ? undefined : behindMs / 1_000),
  );
  gauge(
    'rostack_tail_failing_seconds',
    'Time since the first of the failed reads of the log in a row; 0 while reading works.',
    ({ fault }) => (fault?.forMs ?? 0) / 1_000,
  );
  gauge(
    'rostack_replay_stalled_seconds',
    'How long the longest stalled replay has not moved although its client reads; 0 if all move.',
    ({ replayStalledMs = 0 }) => replayStalledMs / 1_000,
  );
}

/** The log according to the store, and how the gateway follows it (undefined until somebody has subscribed). */
interface LogState {
  readonly resource: string;
  readonly head: Head;
  readonly followed: ResourceStatus | undefined;
}

function registerLogs({ gauge }: SampledMetrics, running: Running): () => Promise<void> {
  let logs: LogState[] = [];
  let isUp = false;
  let quarantined: ReadonlyMap<string, number> = new Map();
  const perLog = perResource<LogState>(gauge, () => logs);
  gauge('rostack_store_up', '1 while the store answers.', [], () => [[{}, Number(isUp)]]);
  gauge(
    'rostack_table_rows_quarantined',
    'Rows of an attached table that its resource refuses now.',
    ['resource'],
    () => running.tables.map(({ resource }) => [{ resource }, quarantined.get(resource) ?? 0]),
  );
  perLog('rostack_log_head_position', 'Newest position of the log.', ({ head }) => head.position);
  perLog(
    'rostack_log_floor_position',
    'Oldest position that the log still answers for.',
    ({ head }) => head.floor,
  );
  perLog(
    'rostack_tail_lag_changes',
    'Changes that the gateway has not read yet; absent until somebody has subscribed.',
    ({ head, followed }) => followed && Math.max(0, head.position - followed.position),
  );
  perLog(
    'rostack_oldest_cursor_lag_changes',
    'Changes between the head and the subscription that is furthest behind.',
    ({ head, followed: { oldestPosition } = {} }) =>
      oldestPosition === undefined ? undefined : Math.max(0, head.position - oldestPosition),
  );
  perLog(
    'rostack_oldest_cursor_retention_margin_changes',
    'Changes between the floor and the subscription that is furthest behind: at 0 it loses its place.',
    ({ head, followed: { oldestPosition } = {} }) =>
      oldestPosition === undefined ? undefined : oldestPosition - head.floor,
  );
  return async () => {
    const { store, status, resources } = running;
    logs = [];
    isUp = false;
    if (store === undefined) return;
    try {
      for (const resource of resources) {
        const head = await store.source(resource).head();
        const followed = status?.resources.find(
          (each) => each.resource === resource && each.behindMs !== undefined,
        );
        logs.push({ resource, head, followed });
      }
      quarantined = await running.quarantine.counts();
      isUp = true;
    } catch {
      // The store does not answer; `rostack_store_up` shows that.
    }
  };
}
