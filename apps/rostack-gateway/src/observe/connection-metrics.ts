import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionCounts } from '../connections/connection-guard.ts';

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
