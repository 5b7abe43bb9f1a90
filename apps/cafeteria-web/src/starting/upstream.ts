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
import type { PhotoRules } from '../photos/photo-rules.ts';
import { ANSWER_WAIT_MS } from '../running/waits.ts';
import type { CafeteriaConfig, LiveUpstream } from './config.ts';

/** The menu service, with the rules for photos of its operators. */
export interface Upstream extends AsyncDisposable {
  readonly service: MenuService;
  readonly photoRules: PhotoRules;
}

// The sample operators run in this process and limit nobody; this pace leaves processor time for the pages.
const SANDBOX_REQUESTS_PER_MINUTE = 18_000;

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

/**
 * Sample operators on a loopback port of this process, or the real ones, behind the shared cache.
 *
 * @throws MenuError `store_unavailable`
 */
export async function openUpstream(
  config: CafeteriaConfig,
  clock: Clock,
  logger: Logger,
  listeners: Pick<MenuServiceOptions, 'onChange' | 'onReading' | 'admitReading'>,
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
      deadlineMs: ANSWER_WAIT_MS,
      prefetch: config.prefetchIntervalMs > 0 && { intervalMs: config.prefetchIntervalMs },
      ...listeners,
      onDroppedRows: (vendor, droppedRows) =>
        logger.warn({ vendor, droppedRows }, 'rows of an answer could not be read'),
      onRefused: (vendor, error) =>
        logger.error({ vendor, err: error }, 'the account is refused: renew its password, or log in with it'),
      onUnknownValue: (vendor, { member, value }) =>
        logger.warn({ vendor, member, value }, 'a value of an answer is not known: what does it mean?'),
      onUnreadable: (vendor, what, error) =>
        logger.error({ vendor, what, err: error }, 'an answer could not be read: has the operator changed?'),
      onBackgroundError: (error) => logger.warn({ err: error }, 'background work failed'),
    }),
  );
  const owned = opened.move();
  return { service, photoRules: source.photoRules, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
