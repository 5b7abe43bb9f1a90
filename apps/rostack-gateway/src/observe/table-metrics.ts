import { Counter, Gauge, type Registry } from 'prom-client';
import type { MoverStatus } from 'rostack-store';
import type { Running } from './running.ts';

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
