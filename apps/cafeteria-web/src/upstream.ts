import {
  type Clock,
  createMenuService,
  type MenuService,
  type MenuServiceOptions,
  type Operator,
  openMenuStore,
  openOperators,
} from 'menu-client';
import { startSandbox } from 'menu-sandbox';
import type { Logger } from 'pino';
import type { CafeteriaConfig, LiveUpstream } from './config.ts';
import type { PhotoRules } from './photos/photo-rules.ts';

/** The menu service, with the rules for photos of its operators. */
export interface Upstream extends AsyncDisposable {
  readonly service: MenuService;
  readonly photoRules: PhotoRules;
}

// The sample operators run in this process and limit nobody; this pace leaves the processor to the pages.
const SANDBOX_REQUESTS_PER_MINUTE = 9_000;

interface Operators extends AsyncDisposable {
  readonly operators: readonly Operator[];
  readonly photoRules: PhotoRules;
}

function liveOperators(
  { environment }: LiveUpstream,
  clock: Clock,
  photoOrigins: readonly string[],
): Operators {
  return {
    operators: openOperators(environment, { clock }),
    photoRules: { trustedOrigins: photoOrigins },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function sampleOperators(clock: Clock): Promise<Operators> {
  const sandbox = await startSandbox({ clock: () => clock.nowMs() });
  return {
    operators: openOperators(sandbox.environment, {
      clock,
      maxRequestsPerMinute: SANDBOX_REQUESTS_PER_MINUTE,
    }),
    photoRules: { trustedOrigins: [], loopbackOrigin: new URL(sandbox.url).origin },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

const LOOK_MS = 1_000;
const LOOKS_PER_LINE = 5;

/** Logs the progress of the first fill: at its start, every five seconds, and at its end. */
function logProgress(service: MenuService, logger: Logger): Disposable {
  let last = -1;
  let looks = 0;
  const report = async (): Promise<void> => {
    const { prefetch } = await service.health();
    if (prefetch === undefined || prefetch.total === 0 || prefetch.done === last) return;
    const { done, total } = prefetch;
    const due = last < 0 || looks >= LOOKS_PER_LINE || done >= total;
    looks += 1;
    if (!due) return;
    last = done;
    looks = 0;
    logger.info({ done, total }, 'reading the menus of the days ahead');
    if (done >= total) clearInterval(timer);
  };
  const timer = setInterval(() => {
    report().catch((error: unknown) => logger.warn({ err: error }, 'progress is unknown'));
  }, LOOK_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Sample operators on a loopback port of this process, or the real ones, behind the shared cache.
 *
 * @throws MenuError `store_unavailable`
 */
export async function openUpstream(
  config: CafeteriaConfig,
  clock: Clock,
  logger: Logger,
  listeners: Pick<MenuServiceOptions, 'onChange' | 'onReading'>,
): Promise<Upstream> {
  await using opened = new AsyncDisposableStack();
  const { upstream } = config;
  const source = opened.use(
    upstream.kind === 'live'
      ? liveOperators(upstream, clock, config.photoOrigins)
      : await sampleOperators(clock),
  );
  const store = await openMenuStore(config.storeUrl);
  const service = opened.use(
    createMenuService({
      operators: source.operators,
      store,
      clock,
      prefetch: config.prefetchIntervalMs > 0 && { intervalMs: config.prefetchIntervalMs },
      ...listeners,
      onDroppedRows: (vendor, droppedRows) =>
        logger.warn({ vendor, droppedRows }, 'rows of an answer could not be read'),
      onBackgroundError: (error) => logger.warn({ err: error }, 'background work failed'),
    }),
  );
  if (config.prefetchIntervalMs > 0) opened.use(logProgress(service, logger));
  const owned = opened.move();
  return { service, photoRules: source.photoRules, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
