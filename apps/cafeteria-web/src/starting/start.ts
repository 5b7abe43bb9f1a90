import { getRequestListener } from '@hono/node-server';
import { type Clock, escapedOutput, type MenuService, systemClock } from 'menu-client';
import { createMenuMcpHandler } from 'menu-mcp/server';
import { type Logger, pino } from 'pino';
import { AnswerCache } from '../answers/answer-cache.ts';
import { createAnswerListener } from '../answers/answer-listener.ts';
import { SiteFeed } from '../answers/feeds/site-feed.ts';
import { linkOrigin } from '../answers/link-origin.ts';
import { Readings } from '../answers/readings.ts';
import { createApp } from '../app.ts';
import { loadAssets } from '../assets/asset-library.ts';
import { shortPath } from '../domain/restaurant-path.ts';
import { DiskCache } from '../photos/disk-cache.ts';
import { FETCH_LIMITS } from '../photos/fetch-photo.ts';
import { PhotoProxy } from '../photos/photo-proxy.ts';
import { siteIdentity } from '../render/discovery/identity.ts';
import { feedPage } from '../render/page-context.ts';
import { menuPhotoPath } from '../render/photo-path.ts';
import { listen } from '../running/listener.ts';
import { createMetrics } from '../running/metrics.ts';
import { RateLimiter } from '../running/rate-limit.ts';
import { ReadingLimit } from '../running/reading-limit.ts';
import { TrustedProxies } from '../running/trusted-proxies.ts';
import { type CafeteriaConfig, ConfigError } from './config.ts';
import { openUpstream } from './upstream.ts';

const ANSWERS_MAX_BYTES = 64 * 1024 * 1024;
const PHOTOS_MAX_BYTES = 512 * 1024 * 1024;

/** A running cafeteria service. */
export interface Cafeteria extends AsyncDisposable {
  /** Where it listens, e.g. `http://localhost:3000`. */
  readonly url: string;
  /** Where `/metrics` is, when a port is set for it. */
  readonly metricsUrl?: string;
  close(): Promise<void>;
}

/** The address to type; browsers treat `localhost` as a secure context. */
function shownUrl(host: string, port: number): string {
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
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
 * Starts the service: operators, cache, pages. What was opened is closed again when a later part fails.
 *
 * @param clock decides what is today, now and old
 * @throws ConfigError `invalid_config`, if it does not come from `readConfig`; ListenError `port_in_use`,
 *   `listen_failed`; MenuError `store_unavailable`
 */
export async function startCafeteria(
  config: CafeteriaConfig,
  clock: Clock = systemClock,
): Promise<Cafeteria> {
  const { upstream: source, limits }: Partial<CafeteriaConfig> = Object(config);
  if (source === undefined || limits === undefined) {
    throw new ConfigError('Pass a configuration as readConfig makes it, such as readConfig(process.env).');
  }
  await using opened = new AsyncDisposableStack();
  // Not pino's own destination: on a full disk it waits for room forever and blocks the process.
  const logger = pino({ level: config.logLevel }, escapedOutput(process.stdout));
  const sampleData = config.upstream.kind === 'sandbox';
  const nowMs = (): number => clock.nowMs();
  const identity = siteIdentity(config);
  let ownUrl = '';
  const originOf = linkOrigin(config.publicUrl, () => ownUrl);
  const origin = (): string => originOf(undefined);
  let feed: SiteFeed | undefined;

  const readings = new Readings();
  const proxies = new TrustedProxies(config.trustedProxies, (proxy) =>
    logger.warn(
      { proxy },
      'X-Forwarded-For is not believed: if this address is a proxy of yours, add it to CAFETERIA_TRUST_PROXY',
    ),
  );
  const readingLimit = new ReadingLimit(config.limits.readingsPerMinute, proxies);
  const upstream = opened.use(
    await openUpstream(config, clock, logger, {
      onChange: () => feed?.noteChange(),
      onReading: (reading) => readings.note(reading),
      admitReading: readingLimit.admit,
    }),
  );
  const { service } = upstream;
  const assets = loadAssets();
  const answers = new AnswerCache(ANSWERS_MAX_BYTES, nowMs, originOf);
  const photoFiles = opened.use(
    await DiskCache.open(`${config.dataDir}/photos`, PHOTOS_MAX_BYTES, nowMs, (error) =>
      logger.warn({ err: error }, 'photos cannot be kept on disk: they are fetched more often'),
    ),
  );
  const photos = new PhotoProxy(photoFiles, upstream.photoRules, FETCH_LIMITS, nowMs);
  feed = opened.use(
    new SiteFeed({
      service,
      nowMs,
      page: () =>
        feedPage({
          origin: origin(),
          authority: identity.authority,
          nowMs: nowMs(),
          sampleData,
          assetUrl: assets.url,
          photos: photos.shelf,
        }),
      onError: (error) =>
        logger.warn({ err: error }, 'the feed of all restaurants could not be put together'),
    }),
  );
  const mcp = opened.use(
    createMenuMcpHandler(service, {
      clock: nowMs,
      ...(config.publicUrl === undefined
        ? { exposure: 'loopback' as const }
        : { exposure: 'public' as const, hosts: [new URL(config.publicUrl).hostname] }),
      identity: identity.mcp,
      pageUrl: (restaurant, date) => origin() + shortPath(restaurant, date),
      photoOrigin: origin,
      photoUrl: (restaurant, date, { id, photo }) =>
        photo === undefined || photos.shelf.stateOf(restaurant.vendor, photo.url)?.isThere === false
          ? undefined
          : origin() + menuPhotoPath(restaurant, date, id),
      onError: (error) => logger.warn({ err: error }, 'mcp'),
    }),
  );
  const metrics =
    config.metricsPort === undefined
      ? undefined
      : createMetrics({
          service,
          renderingBytes: () => answers.sizeBytes,
          photoBytes: () => photos.storedBytes,
        });

  const app = createApp({
    service,
    mcp,
    feed,
    photos,
    assets,
    answers,
    readings,
    metrics,
    logger,
    nowMs,
    originOf,
    identity,
    sampleData,
    chats: config.chats,
    proxies,
    pageWaitMs: config.pageWaitMs,
    limits: config.limits,
    readingLimit,
    searchLimiter: new RateLimiter(config.limits.searchPerMinute, proxies),
  });
  const handler = createAnswerListener(answers, getRequestListener(app.fetch), metrics);
  const listener = await listen(handler, config.host, config.port, 'CAFETERIA_PORT');
  opened.defer(() => listener.close());
  ownUrl = shownUrl(config.host, listener.port);
  let metricsUrl: string | undefined;
  if (metrics !== undefined && config.metricsPort !== undefined) {
    const metricsListener = await listen(
      getRequestListener(metrics.app.fetch),
      '127.0.0.1',
      config.metricsPort,
      'CAFETERIA_METRICS_PORT',
    );
    opened.defer(() => metricsListener.close());
    metricsUrl = `http://127.0.0.1:${metricsListener.port}/metrics`;
  }
  if (config.prefetchIntervalMs > 0) opened.use(logProgress(service, logger));
  const owned = opened.move();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= owned.disposeAsync());
  return {
    url: ownUrl,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
