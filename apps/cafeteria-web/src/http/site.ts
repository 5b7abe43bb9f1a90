import type { MenuService } from 'menu-client';
import type { MenuMcpHandler } from 'menu-mcp';
import type { Logger } from 'pino';
import type { AssetLibrary } from '../assets/asset-library.ts';
import type { CafeteriaConfig } from '../config.ts';
import type { SiteFeed } from '../feeds/site-feed.ts';
import type { PhotoProxy } from '../photos/photo-proxy.ts';
import type { Metrics } from '../running/metrics.ts';
import type { RateLimiter } from '../running/rate-limit.ts';
import type { Readings } from './readings.ts';
import type { RenderingCache } from './rendering-cache.ts';

/** What every route answers from. */
export interface Site {
  readonly service: MenuService;
  readonly mcp: MenuMcpHandler;
  readonly assets: AssetLibrary;
  /** Pages and feeds by their keys. */
  readonly renderings: RenderingCache;
  /** What was found, apart from the pages: queries without end must not push them out. */
  readonly searches: RenderingCache;
  readonly readings: Readings;
  readonly logger: Logger;
  readonly nowMs: () => number;
  /** Scheme and host of absolute links; undefined: the request's own, when that is loopback. */
  readonly publicUrl: string | undefined;
  /** Where this process listens, for links when the request's own host is not to be believed. */
  readonly ownUrl: () => string;
  readonly sampleData: boolean;
  readonly trustProxy: boolean;
  readonly limits: CafeteriaConfig['limits'];
  /** Of `/proxy/search`. */
  readonly searchLimiter: RateLimiter;
  readonly feed: SiteFeed;
  readonly photos: PhotoProxy;
  readonly metrics: Metrics | undefined;
}
