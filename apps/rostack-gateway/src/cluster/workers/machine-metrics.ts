import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { ListenerName, MetricsReport } from '../peers/messages.ts';
import type { Acceptor } from './acceptor.ts';

/** Kinds of metrics that only ever rise: a process's counts remain valid after it has ended. */
const RISING: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

/**
 * The metrics of all workers of a machine as one: counters are summed, gauges are combined by the `aggregator` of each metric. The counts
 * of workers that have ended are kept, so that no sum falls when one is replaced.
 */
export class MachineMetrics<Process extends object> {
  readonly #reports = new Map<Process, MetricsReport>();
  readonly #registry = new Registry();
  readonly #restarts: Counter;
  #ended: MetricsReport = [];

  /**
   * @param serving returns how many workers serve now
   * @param refused returns the connections that were closed at once, by listener
   */
  constructor(serving: () => number, refused: () => ReadonlyMap<ListenerName, Acceptor['refused']>) {
    const workers = new Gauge({
      name: 'rostack_workers',
      help: 'Processes that serve.',
      registers: [],
      collect() {
        this.set(serving());
      },
    });
    const refusals = new Counter({
      name: 'rostack_connections_refused_total',
      help: 'Connections closed at once, because there were too many in total, or from their address.',
      labelNames: ['listener', 'reason'],
      registers: [],
      collect() {
        this.reset();
        for (const [listener, { inAll, perAddress }] of refused()) {
          this.inc({ listener, reason: 'in_all' }, inAll);
          this.inc({ listener, reason: 'per_address' }, perAddress);
        }
      },
    });
    this.#restarts = new Counter({
      name: 'rostack_worker_restarts_total',
      help: 'Processes that ended by themselves and were replaced.',
      registers: [],
    });
    for (const metric of [workers, refusals, this.#restarts]) this.#registry.registerMetric(metric);
  }

  /** Takes what a process has counted so far. */
  take(process: Process, report: MetricsReport): void {
    this.#reports.set(process, report);
  }

  countRestart(): void {
    this.#restarts.inc();
  }

  /** Keeps the last reported counts of a process that has ended. */
  async end(process: Process): Promise<void> {
    const last = this.#reports.get(process);
    this.#reports.delete(process);
    if (last === undefined) return;
    const reports = [this.#ended, last.filter(({ type }) => RISING.has(String(type)))];
    this.#ended = await aggregate(reports).getMetricsAsJSON();
  }

  /** The text for Prometheus. */
  async text(): Promise<string> {
    const own = await this.#registry.getMetricsAsJSON();
    return aggregate([this.#ended, ...this.#reports.values(), own]).metrics();
  }
}

const aggregate = (reports: readonly MetricsReport[]): Registry => AggregatorRegistry.aggregate([...reports]);
