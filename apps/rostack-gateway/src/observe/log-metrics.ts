import { Counter, Gauge, type Registry } from 'prom-client';
import type { ResourceStatus } from 'rostack-server';
import type { Running } from './running.ts';

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
