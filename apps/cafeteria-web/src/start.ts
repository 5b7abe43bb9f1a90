import { createMenuMcpHandler } from 'menu-mcp';
import { pino } from 'pino';
import { createApp } from './app.ts';
import { loadAssets } from './assets/asset-library.ts';
import type { CafeteriaConfig } from './config.ts';
import { dayPath, restaurantPath } from './domain/restaurant-path.ts';
import { RenderingCache } from './http/rendering-cache.ts';
import { listen } from './listener.ts';
import { MCP_IDENTITY } from './mcp-identity.ts';
import { openUpstream } from './upstream.ts';

const RENDERINGS_MAX_BYTES = 96 * 1024 * 1024;

/** The address to type; a browser takes `localhost` for a secure context. */
function shownUrl(host: string, port: number): string {
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

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
  const { service } = upstream;
  let ownUrl = '';
  const mcp = opened.use(
    createMenuMcpHandler(service, {
      exposure: config.publicUrl === undefined ? 'loopback' : 'public',
      identity: MCP_IDENTITY,
      pageUrl: (restaurant, date) =>
        (config.publicUrl ?? ownUrl) +
        (date === undefined ? restaurantPath(restaurant) : dayPath(restaurant, date)),
      onError: (error) => logger.warn({ err: error }, 'mcp'),
    }),
  );
  const app = createApp({
    service,
    mcp,
    ownUrl: () => ownUrl,
    assets: loadAssets(),
    renderings: new RenderingCache(RENDERINGS_MAX_BYTES),
    logger,
    nowMs: Date.now,
    publicUrl: config.publicUrl,
    sampleData: config.upstream.kind === 'sandbox',
  });
  const listener = await listen(app.fetch, config.host, config.port, 'CAFETERIA_PORT');
  opened.defer(() => listener.close());
  ownUrl = shownUrl(config.host, listener.port);
  const owned = opened.move();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= owned.disposeAsync());
  return { url: ownUrl, close, [Symbol.asyncDispose]: close };
}
