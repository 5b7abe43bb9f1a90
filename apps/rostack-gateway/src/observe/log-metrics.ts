import { Counter, Gauge, type Registry } from 'prom-client';
import type { ResourceStatus } from 'rostack-server';
import type { MoverStatus } from 'rostack-store';
import type { ConnectionCounts } from '../listener/connection-guard.ts';
import type { Running } from './readiness.ts';

/** Numbers of each resource's log, and of how the gateway follows it. Returns what asks the store, before each reading. */
export function registerLogMetrics(registry: Registry, running: () => Running): () => Promise<void> {
  const statuses = (): readonly ResourceStatus[] => running().status?.resources ?? [];
  const labelNames = ['resource'] as const;

  const counter = (name: string, help: string, read: (status: ResourceStatus) => number): void => {
    const collect = function collect(this: Counter<'resource'>): void {
      this.reset();
      for (const status of statuses()) this.inc({ resource: status.resource }, read(status));
    };
    registry.registerMetric(new Counter({ name, help, labelNames, registers: [], collect }));
  };
  counter('rostack_log_changes_total', 'Changes read from the log.', ({ changes }) => changes);
  counter('rostack_events_total', 'Events handed to WebSocket connections.', ({ events }) => events);
  counter('rostack_ring_hits_total', 'Catch-up reads answered from memory.', ({ ringHits }) => ringHits);
  counter(
    'rostack_ring_misses_total',
    'Catch-up reads that went to the log.',
    ({ ringMisses }) => ringMisses,
  );

  const gauge = (name: string, help: string, read: (status: ResourceStatus) => number | undefined): void => {
    const collect = function collect(this: Gauge<'resource'>): void {
      this.reset();
      for (const status of statuses()) {
        const value = read(status);
        if (value !== undefined) this.set({ resource: status.resource }, value);
      }
    };
    registry.registerMetric(new Gauge({ name, help, labelNames, registers: [], collect }));
  };
  gauge(
    'rostack_resource_subscriptions',
    'Subscriptions of a resource.',
    ({ subscriptions }) => subscriptions,
  );
  gauge(
    'rostack_tail_lag_seconds',
    'Time since the gateway last stood at the head of the log; absent until somebody has subscribed.',
    ({ behindMs }) => (behindMs === undefined ? undefined : behindMs / 1_000),
  );
  gauge(
    'rostack_tail_failing_seconds',
    'Time since the first of the failed reads of the log in a row; 0 while reading works.',
    ({ fault }) => (fault?.forMs ?? 0) / 1_000,
  );
  gauge(
    'rostack_replay_stalled_seconds',
    'How long the catching up of a client that reads has not moved; 0 while all move.',
    ({ replayStalledMs = 0 }) => replayStalledMs / 1_000,
  );
  return registerHeadMetrics(registry, running);
}

/** What the store says of its logs. */
function registerHeadMetrics(registry: Registry, running: () => Running): () => Promise<void> {
  const registers = [registry];
  const labelNames = ['resource'] as const;
  const floor = new Gauge({
    name: 'rostack_log_floor_position',
    help: 'Oldest position that the log still answers for.',
    labelNames,
    registers,
  });
  const behind = new Gauge({
    name: 'rostack_tail_lag_changes',
    help: 'Changes that the gateway has not read yet; absent until somebody has subscribed.',
    labelNames,
    registers,
  });
  const oldest = new Gauge({
    name: 'rostack_oldest_cursor_lag_changes',
    help: 'Changes between the head and the subscription that is furthest behind.',
    labelNames,
    registers,
  });
  const margin = new Gauge({
    name: 'rostack_oldest_cursor_retention_margin_changes',
    help: 'Changes between the floor and the subscription that is furthest behind: at 0 it loses its place.',
    labelNames,
    registers,
  });
  const up = new Gauge({
    name: 'rostack_store_up',
    help: '1 while the store answers.',
    registers,
  });
  const newest = new Gauge({
    name: 'rostack_log_head_position',
    help: 'Newest position of the log.',
    labelNames,
    registers,
  });

  return async () => {
    for (const metric of [newest, floor, behind, oldest, margin]) metric.reset();
    const { store, status, resources } = running();
    up.set(0);
    if (store === undefined) return;
    try {
      for (const resource of resources) {
        const head = await store.source(resource).head();
        newest.set({ resource }, head.position);
        floor.set({ resource }, head.floor);
        const followed = status?.resources.find((candidate) => candidate.resource === resource);
        if (followed?.behindMs === undefined) continue;
        behind.set({ resource }, Math.max(0, head.position - followed.position));
        if (followed.oldestPosition === undefined) continue;
        oldest.set({ resource }, Math.max(0, head.position - followed.oldestPosition));
        margin.set({ resource }, followed.oldestPosition - head.floor);
      }
      up.set(1);
    } catch {
      // The store does not answer: `rostack_store_up` says so.
    }
  };
}

/** Numbers of the tables that resources come from, as this process follows them. */
export function registerTableMetrics(registry: Registry, running: () => Running): void {
  const collectState = function collect(this: Gauge<'resource' | 'state'>): void {
    this.reset();
    for (const { resource, state } of running().tables) this.set({ resource, state }, 1);
  };
  registry.registerMetric(
    new Gauge({
      name: 'rostack_table_state',
      help: '1 for what this process does for a table: standby, loading, following, or stopped.',
      labelNames: ['resource', 'state'],
      registers: [],
      collect: collectState,
    }),
  );

  const counter = (name: string, help: string, read: (status: MoverStatus) => number): void => {
    const collect = function collect(this: Counter<'resource'>): void {
      this.reset();
      for (const status of running().tables) this.inc({ resource: status.resource }, read(status));
    };
    registry.registerMetric(new Counter({ name, help, labelNames: ['resource'], registers: [], collect }));
  };
  counter('rostack_table_rows_moved_total', 'Changed rows moved into the log.', ({ movedRows }) => movedRows);
  counter(
    'rostack_table_rows_refused_total',
    'Rows that the resource refused, as often as it did.',
    ({ refusedRows }) => refusedRows,
  );
}

/** The connections of each listener that there is. */
export interface ListenerConnections {
  readonly data: ConnectionCounts;
  readonly admin?: ConnectionCounts;
}

/** Numbers of each listener's TCP connections. */
export function registerConnectionMetrics(registry: Registry, connections: () => ListenerConnections): void {
  const each = (): readonly [string, ConnectionCounts][] => Object.entries(connections());
  const collectOpen = function collectOpen(this: Gauge<'listener'>): void {
    for (const [listener, { open }] of each()) this.set({ listener }, open);
  };
  registry.registerMetric(
    new Gauge({
      name: 'rostack_connections',
      help: 'Open TCP connections, WebSockets among them, by listener.',
      labelNames: ['listener'],
      registers: [],
      collect: collectOpen,
    }),
  );
  const counter = (
    name: string,
    help: string,
    read: (counts: ConnectionCounts) => Readonly<Record<string, number>>,
  ): void => {
    const collect = function collect(this: Counter<'listener' | 'reason'>): void {
      this.reset();
      for (const [listener, counts] of each()) {
        for (const [reason, count] of Object.entries(read(counts))) this.inc({ listener, reason }, count);
      }
    };
    registry.registerMetric(
      new Counter({ name, help, labelNames: ['listener', 'reason'], registers: [], collect }),
    );
  };
  counter(
    'rostack_connections_refused_total',
    'Connections closed at once, because there were too many in all, or of their address.',
    ({ refusedInAll, refusedPerAddress }) => ({ in_all: refusedInAll, per_address: refusedPerAddress }),
  );
  counter(
    'rostack_connections_timed_out_total',
    'Connections closed because the TLS handshake or a request did not arrive in time.',
    ({ handshakeTimeouts, requestTimeouts }) => ({ handshake: handshakeTimeouts, request: requestTimeouts }),
  );
}
