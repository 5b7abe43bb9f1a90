import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import type { MenuService } from 'menu-client';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const LEVEL = { ok: 1, degraded: 0.5, down: 0 } as const;

export interface MetricsSources {
  readonly service: MenuService;
  readonly renderingBytes: () => number;
  readonly photoBytes: () => number;
}

/** The metrics of the process, for Prometheus. */
export interface Metrics {
  readonly middleware: MiddlewareHandler;
  /** Counts a request that was answered outside the app. */
  readonly count: (route: string, status: number, tookMs: number) => void;
  /** Serves `/metrics`. */
  readonly app: Hono;
}

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'cafeteria_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'cafeteria_http_request_duration_seconds',
    help: 'Time until the answer was ready, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  const gauge = (
    name: string,
    help: string,
    collect: (gauge: Gauge) => void | Promise<void>,
    labelNames: string[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        return collect(this);
      },
    });
  gauge('cafeteria_renderings_bytes', 'Rendered pages that are kept.', (it) =>
    it.set(sources.renderingBytes()),
  );
  gauge('cafeteria_photos_bytes', 'Photos on disk.', (it) => it.set(sources.photoBytes()));
  gauge(
    'cafeteria_operator_status',
    '1 ok, 0.5 reads fail and the cache answers, 0 nothing was ever read.',
    async (it) => {
      for (const { vendor, status } of (await sources.service.health()).operators)
        it.set({ vendor }, LEVEL[status]);
    },
    ['vendor'],
  );
  gauge(
    'cafeteria_operator_needs_person',
    '1 while the operator refuses the account, which does not mend itself.',
    async (it) => {
      for (const { vendor, needsPerson } of (await sources.service.health()).operators)
        it.set({ vendor }, needsPerson === null ? 0 : 1);
    },
    ['vendor'],
  );
  gauge(
    'cafeteria_operator_failures',
    'Failures of the operator in a row, in this process.',
    async (it) => {
      for (const { vendor, circuit } of (await sources.service.health()).operators)
        it.set({ vendor }, circuit.failures);
    },
    ['vendor'],
  );
  gauge(
    'cafeteria_prefetch_days',
    'Restaurant-days that are read ahead, and those as fresh as they should be.',
    async (it) => {
      const { prefetch } = await sources.service.health();
      it.set({ state: 'done' }, prefetch?.done ?? 0);
      it.set({ state: 'total' }, prefetch?.total ?? 0);
    },
    ['state'],
  );

  const count = (route: string, status: number, tookMs: number): void => {
    requests.inc({ route, status });
    durations.observe({ route }, tookMs / 1000);
  };
  const app = new Hono();
  app.get('/metrics', async (c) =>
    c.body(await Registry.merge([registry, processMetrics()]).metrics(), 200, {
      'Content-Type': registry.contentType,
    }),
  );
  return {
    app,
    count,
    middleware: async (c, next) => {
      const startedMs = performance.now();
      await next();
      count(routePath(c, -1), c.res.status, performance.now() - startedMs);
    },
  };
}

let collected: Registry | undefined;

/**
 * Metrics of this process (memory, event loop, garbage collection), collected from the first call on and shared by all
 * services in it. prom-client's observers never stop: with one registry per service they would keep closed ones in memory.
 */
function processMetrics(): Registry {
  if (collected === undefined) {
    collected = new Registry();
    collectDefaultMetrics({ register: collected });
  }
  return collected;
}
