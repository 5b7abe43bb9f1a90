import type { MiddlewareHandler } from 'hono';
import { type Logger, pino } from 'pino';
import type { ImplementationDefinition, RecordSource } from 'rostack-core';
import type { GatewayStatus, ServedHooks, WebSocketGateway } from 'rostack-server';
import type { Mover, MoverStatus, Store } from 'rostack-store';
import { createAdminApp } from '../../admin/admin-app.ts';
import { type AdminListener, failedAttempts, listenForAdmin } from '../../admin/admin-listener.ts';
import type { Peers } from '../../cluster/peers/peers.ts';
import { machineHealth } from '../../cluster/peers/peers-health.ts';
import type { GatewayConfig } from '../../config/model/gateway-config.ts';
import type { AlarmKind } from '../../observe/alarm-kinds.ts';
import { Canary } from '../../observe/health/canary.ts';
import { QuarantineWatch } from '../../observe/health/quarantine-watch.ts';
import { ReadinessCheck, type Running } from '../../observe/health/readiness.ts';
import { alarmText, combineHooks, logHooks } from '../../observe/hooks.ts';
import { configSecrets } from '../../observe/log/logger.ts';
import { Repeats } from '../../observe/log/repeats.ts';
import { createScrubber } from '../../observe/log/scrub.ts';
import { createMetrics, type Metrics } from '../../observe/metrics.ts';
import { gatewayReport } from '../../observe/status/gateway-report.ts';
import { PrincipalTally } from '../../observe/status/principal-tally.ts';
import { readDials } from '../../observe/status/read-dials.ts';
import { RecentAlarms } from '../../observe/status/recent-alarms.ts';
import { traceSource } from '../../observe/traced-source.ts';
import type { Tracing } from '../../observe/tracing.ts';
import { packageVersion } from '../../text/package-version.ts';
import type { Listener } from '../listener/listener.ts';

type ServedListener = Pick<Listener, 'connections' | 'certificateExpiresAtMs'>;

/** The other parts that operations depend on. */
export interface OperationsParts {
  readonly logger: Logger | undefined;
  /** Undefined if no other process serves the same. */
  readonly machine: Peers | undefined;
}

/**
 * What the gateway provides for operators: admin listener, metrics, logs, traces. It starts before the store is opened and ends after it;
 * the parts of the gateway are set here as they start.
 */
export class Operations implements Running, AsyncDisposable {
  readonly hooks: ServedHooks;
  readonly resources: readonly string[];
  store: Store | undefined;
  websockets: WebSocketGateway | undefined;
  /** Undefined if no resource comes from a table. */
  mover: Mover | undefined;
  isDraining = false;
  countsAlone = false;
  readonly quarantine = new QuarantineWatch(this);
  readonly #metrics: Metrics | undefined;
  readonly #tracing: Tracing | undefined;
  readonly #repeats: Repeats | undefined;
  readonly #principals = new PrincipalTally(() => performance.now());
  readonly #alarms = new RecentAlarms(Date.now);
  readonly #scrub: (text: string) => string;
  readonly #listener: ServedListener;
  #admin: AdminListener | undefined;
  #canary: Canary | undefined;

  private constructor(
    config: GatewayConfig,
    { resources }: ImplementationDefinition,
    listener: ServedListener,
    { logger, machine }: OperationsParts,
    tracing: Tracing | undefined,
  ) {
    this.resources = Object.keys(resources);
    this.#listener = listener;
    this.#scrub = createScrubber(configSecrets(config));
    if (config.metrics.enabled) {
      const connections = () => ({
        data: listener.connections.counts,
        ...(this.#admin && { admin: this.#admin.connections.counts }),
      });
      this.#metrics = createMetrics(this, connections, {
        process: config.metrics.process,
        canary: config.metrics.canary !== undefined,
      });
      machine?.onMetrics(this.#metrics.report);
    }
    this.#tracing = tracing;
    const repeats = logger && new Repeats(logger);
    this.#repeats = repeats;
    this.hooks = combineHooks(
      logger === undefined || repeats === undefined ? {} : logHooks(logger, repeats),
      logger === undefined ? {} : this.quarantine.logHooks(logger),
      this.#metrics?.hooks ?? {},
      this.#tracing?.hooks ?? {},
      this.#principals.hooks,
      { onAlarm: (alarm) => this.#noteAlarm(alarm.kind, alarmText(alarm)) },
    );
  }

  /**
   * Binds the admin listener, if the configuration has one.
   * @param listener the data listener
   * @throws PortInUseError `port_in_use`
   */
  static async start(
    config: GatewayConfig,
    implementation: ImplementationDefinition,
    listener: ServedListener,
    parts: OperationsParts,
  ): Promise<Operations> {
    const { logger, machine } = parts;
    const tracing = await startTracing(config, logger);
    const operations = new Operations(config, implementation, listener, parts, tracing);
    const readiness = new ReadinessCheck(config.health);
    const look = () => readiness.look(operations);
    machine?.onSurvey('readiness', look);
    const { storeTimeoutMs } = config.health;
    const read = () => readDials(operations, operations.#principals, operations.#alarms, storeTimeoutMs);
    machine?.onSurvey('dials', read);
    const { admin } = config.listeners;
    if (admin === undefined || machine?.isLead === false) return operations;
    const own = operations.#metrics;
    const metrics = own && machine ? { ...own, read: () => machine.metrics() } : own;
    const health = machineHealth({ look, read }, machine, storeTimeoutMs);
    const app = createAdminApp({
      token: admin.token,
      failures: {
        rateLimiter: failedAttempts(),
        onRefused: (isLimited) => metrics?.onAdminRefused(isLimited),
      },
      running: operations,
      health,
      report: async () => {
        const [readiness, dials] = await Promise.all([health.look(), health.read()]);
        return gatewayReport(readiness, dials, Date.now());
      },
      metrics,
      idPaths: new Map(Object.values(implementation.resources).map(({ name, idPath }) => [name, idPath])),
      readOnly: readOnlyResources(config),
      maxRecordBytes: config.store.maxRecordBytes,
      logger: logger ?? pino({ level: 'silent' }),
    });
    try {
      operations.#admin = await listenForAdmin(admin, app, machine);
    } catch (error) {
      await operations[Symbol.asyncDispose]();
      throw error;
    }
    return operations;
  }

  /** Port that the admin listener is bound to; undefined if there is none. */
  get adminPort(): number | undefined {
    return this.#admin?.port;
  }

  get status(): GatewayStatus | undefined {
    return this.websockets?.status;
  }

  get tables(): readonly MoverStatus[] {
    return this.mover?.status ?? [];
  }

  /**
   * Starts the canary, if the configuration has one.
   * @param ca certificates to trust besides those of the system, as PEM
   */
  startCanary({ metrics: { canary } }: GatewayConfig, websocketUrl: string, ca: string | undefined): void {
    const metrics = this.#metrics;
    if (canary === undefined || metrics === undefined || this.store === undefined) return;
    const { url = websocketUrl, ...options } = canary;
    this.#canary = new Canary({
      ...options,
      store: this.store,
      url,
      ca,
      onSeen: metrics.onCanarySeen,
      onMissed: metrics.onCanaryMissed,
    });
  }

  /** Stops the canary, which would otherwise be a follower that has to be drained. */
  async stopCanary(): Promise<void> {
    await this.#canary?.[Symbol.asyncDispose]();
  }

  get certificateExpiresAtMs(): number | undefined {
    return this.#listener.certificateExpiresAtMs();
  }

  /** Counts and remembers an alarm of the store or of this program. */
  takeAlarm(kind: AlarmKind, message: string): void {
    this.#metrics?.onAlarm(kind);
    this.#noteAlarm(kind, message);
  }

  /** Messages may contain a database's error text with its URL. */
  #noteAlarm(kind: AlarmKind, message: string): void {
    this.#alarms.note(kind, this.#scrub(message));
  }

  /** Makes a span for each request; undefined if traces are off. */
  get middleware(): MiddlewareHandler | undefined {
    return this.#tracing?.middleware;
  }

  /** The source, with a span for each call if traces are on. */
  tracedSource(source: RecordSource, resource: string): RecordSource {
    return this.#tracing === undefined ? source : traceSource(source, resource, this.#tracing.inSpan);
  }

  /** Stops taking requests to the admin listener: another process answers them now. */
  retireAdmin(): void {
    this.#admin?.retire();
  }

  /** Closes the admin listener and sends the remaining spans. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopCanary();
    this.store = undefined;
    await this.#admin?.[Symbol.asyncDispose]();
    await this.#tracing?.[Symbol.asyncDispose]();
    this.#repeats?.[Symbol.dispose]();
  }
}

/** Undefined if traces are off: their libraries, 9 MiB of memory, are not loaded then. */
async function startTracing(
  { telemetry: { otlpEndpoint, otlpHeaders, serviceName } }: GatewayConfig,
  logger: Logger | undefined,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { createTracing } = await import('../../observe/tracing.ts');
  return createTracing({
    endpoint: otlpEndpoint,
    headers: otlpHeaders,
    serviceName,
    serviceVersion: packageVersion(),
    onFailure: (error) => logger?.warn({ err: error }, 'traces cannot be sent'),
  });
}

function readOnlyResources({ resources, store }: GatewayConfig): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(resources).flatMap(([name, { source }]): (readonly [string, string])[] => {
      if (store.role === 'replica') return [[name, 'the primary']];
      return source === undefined ? [] : [[name, `the table ${source.table}`]];
    }),
  );
}
