import type { MiddlewareHandler } from 'hono';
import { type Logger, pino } from 'pino';
import type { ImplementationDefinition, RecordSource } from 'rostack-core';
import type { GatewayObserver, GatewayStatus, HttpHooks } from 'rostack-server';
import type { MoverStatus, Store } from 'rostack-store';
import { createAdminApp } from '../admin/admin-app.ts';
import { type AdminListener, failedAttempts, listenForAdmin } from '../admin/admin-listener.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { ConnectionGuard } from '../listener/connection-guard.ts';
import { combineHooks, combineObservers, logHooks, logObserver } from '../observe/hooks.ts';
import type { ListenerConnections } from '../observe/log-metrics.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { ReadinessCheck, type Running } from '../observe/readiness.ts';
import { traceSource } from '../observe/traced-source.ts';
import { createTracing, type Tracing } from '../observe/tracing.ts';
import { packageVersion } from '../package-version.ts';

/** What operators have of a gateway: admin listener, metrics, logs, traces. It starts before the store is opened and ends after it. */
export class Operations implements AsyncDisposable {
  readonly hooks: HttpHooks;
  readonly observer: GatewayObserver;
  readonly #tracing: Tracing | undefined;
  #admin: AdminListener | undefined;
  #store: Store | undefined;
  readonly #metrics: Metrics | undefined;
  #status: (() => GatewayStatus) | undefined;
  #tables: () => readonly MoverStatus[] = () => [];
  #isDraining = false;

  private constructor(config: GatewayConfig, logger: Logger | undefined, metrics: Metrics | undefined) {
    this.#metrics = metrics;
    const { otlpEndpoint, otlpHeaders, serviceName } = config.telemetry;
    this.#tracing =
      otlpEndpoint === undefined
        ? undefined
        : createTracing({
            endpoint: otlpEndpoint,
            headers: otlpHeaders,
            serviceName,
            serviceVersion: packageVersion(),
            onFailure: (error) => logger?.warn({ err: error }, 'traces cannot be sent'),
          });
    this.hooks = combineHooks(
      logger === undefined ? {} : logHooks(logger),
      metrics?.hooks ?? {},
      this.#tracing?.hooks ?? {},
    );
    this.observer = combineObservers(
      logger === undefined ? {} : logObserver(logger),
      metrics?.observer ?? {},
    );
  }

  /**
   * Binds the admin listener, if there is to be one.
   * @param data the connections of the data listener
   * @throws PortInUseError `port_in_use`
   */
  static async start(
    config: GatewayConfig,
    implementation: ImplementationDefinition,
    data: ConnectionGuard,
    logger: Logger | undefined,
  ): Promise<Operations> {
    const resources = Object.keys(implementation.resources);
    let operations: Operations | undefined;
    const running = (): Running => operations?.running(resources) ?? { ...NOTHING, resources };
    const connections = (): ListenerConnections => {
      const admin = operations?.adminConnections;
      return { data: data.counts, ...(admin && { admin: admin.counts }) };
    };
    const metrics = config.metrics.enabled
      ? createMetrics(running, connections, { process: config.metrics.process })
      : undefined;
    operations = new Operations(config, logger, metrics);
    const { admin } = config.listeners;
    if (admin === undefined) return operations;
    const app = createAdminApp({
      token: admin.token,
      failures: {
        rateLimiter: await failedAttempts(),
        onRefused: (isLimited) => metrics?.onAdminRefused(isLimited),
      },
      running,
      readiness: new ReadinessCheck(config.health),
      metrics,
      idPaths: new Map(Object.values(implementation.resources).map(({ name, idPath }) => [name, idPath])),
      readOnly: readOnlyResources(config),
      maxRecordBytes: config.store.maxRecordBytes,
      logger: logger ?? pino({ level: 'silent' }),
    });
    try {
      operations.#admin = await listenForAdmin(admin, app);
    } catch (error) {
      await operations[Symbol.asyncDispose]();
      throw error;
    }
    return operations;
  }

  /** Port that the admin listener is bound to; undefined: there is none. */
  get adminPort(): number | undefined {
    return this.#admin?.port;
  }

  /** The connections of the admin listener. */
  get adminConnections(): ConnectionGuard | undefined {
    return this.#admin?.connections;
  }

  /** The tables are up to date. */
  opened(store: Store): void {
    this.#store = store;
  }

  /** Counts an alarm that the store, or the gateway itself, has raised. */
  alarm(kind: string): void {
    this.#metrics?.onAlarm(kind);
  }

  /** Tables that resources come from are followed. */
  follows(tables: () => readonly MoverStatus[]): void {
    this.#tables = tables;
  }

  /** Clients are served. */
  serves(status: () => GatewayStatus): void {
    this.#status = status;
  }

  drains(): void {
    this.#isDraining = true;
  }

  /** Makes a span for each request; undefined where no traces are wanted. */
  get middleware(): MiddlewareHandler | undefined {
    return this.#tracing?.middleware;
  }

  /** The source, with a span for each call where traces are wanted. */
  tracedSource(source: RecordSource, resource: string): RecordSource {
    return this.#tracing === undefined ? source : traceSource(source, resource, this.#tracing.inSpan);
  }

  running(resources: readonly string[]): Running {
    return {
      resources,
      store: this.#store,
      status: this.#status?.(),
      tables: this.#tables(),
      isDraining: this.#isDraining,
    };
  }

  /** Ends the admin listener and sends the spans that wait. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#store = undefined;
    await this.#admin?.[Symbol.asyncDispose]();
    await this.#tracing?.[Symbol.asyncDispose]();
  }
}

const NOTHING = { store: undefined, status: undefined, tables: [], isDraining: false } as const;

function readOnlyResources({ resources }: GatewayConfig): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(resources).flatMap(([name, { source }]) =>
      source === undefined ? [] : [[name, `the table ${source.table}`] as const],
    ),
  );
}
