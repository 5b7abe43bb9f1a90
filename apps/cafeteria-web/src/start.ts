import { pino } from 'pino';
import { createApp } from './app.ts';
import { loadAssets } from './assets/asset-library.ts';
import type { CafeteriaConfig } from './config.ts';
import { RenderingCache } from './http/rendering-cache.ts';
import { listen } from './listener.ts';
import { openUpstream } from './upstream.ts';

const RENDERINGS_MAX_BYTES = 96 * 1024 * 1024;

/** A running cafeteria service. */
export interface Cafeteria extends AsyncDisposable {
  /** Where it listens, e.g. `http://localhost:3000`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the service: operators, cache, pages.
 *
 * @throws ListenError `port_in_use`, `listen_failed`
 */
export async function startCafeteria(config: CafeteriaConfig): Promise<Cafeteria> {
  await using opened = new AsyncDisposableStack();
  const logger = pino({ level: config.logLevel });
  const upstream = opened.use(await openUpstream(config.upstream));
  const app = createApp({
    service: upstream.service,
    assets: loadAssets(),
    renderings: new RenderingCache(RENDERINGS_MAX_BYTES),
    logger,
    nowMs: Date.now,
    publicUrl: config.publicUrl,
    sampleData: config.upstream.kind === 'sandbox',
  });
  const listener = await listen(app.fetch, config.host, config.port, 'CAFETERIA_PORT');
  opened.defer(() => listener.close());
  const owned = opened.move();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= owned.disposeAsync());
  const shownHost =
    config.host === '127.0.0.1' ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return { url: `http://${shownHost}:${listener.port}`, close, [Symbol.asyncDispose]: close };
}
