import { join } from 'node:path';
import { parseBodies, type RecordSource } from 'rostack-core';
import { createGateway, createToken, type Gateway, loadConfig } from 'rostack-gateway';
import { createFeed } from './feed.ts';
import type { Observation } from './records.ts';
import { STATIONS } from './stations.ts';

const FEED_INTERVAL_MS = 1_000;
const PAGE_SIZE = 200;

export interface ObservatoryOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Everything that the observatory keeps lies in its folder `rostack`. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
}

/** The running sample. */
export interface Observatory extends AsyncDisposable {
  readonly baseUrl: string;
  readonly certificatePath: string;
  /** The token, when this start has made it; it cannot be had again. */
  readonly newToken: string | undefined;
  readonly gateway: Gateway;
  /** Stops the feed, then the gateway. @param drainTimeoutMs how long followers may stay */
  close(drainTimeoutMs?: number): Promise<void>;
}

/**
 * Starts the sample observatory on loopback: certificate, keys and token are made on the first start, the feed changes
 * observations every second.
 * @throws PortInUseError `port_in_use`
 */
export async function startObservatory({ port, dataDir, log }: ObservatoryOptions): Promise<Observatory> {
  const config = await loadConfig(join(import.meta.dirname, 'rostack-gateway.yaml'), {
    environment: {
      ROSTACK__LISTENERS__DATA__PORT: String(port),
      ROSTACK__DATA_DIR: join(dataDir, 'rostack'),
    },
  });
  const gateway = await createGateway(config, { log });
  const { tokens } = gateway.store;
  const hasToken = (await tokens.list()).length > 0;
  const newToken = hasToken
    ? undefined
    : await createToken(tokens, { subject: 'sample', grants: Object.keys(config.permissions) });
  const stopFeed = await startFeed(gateway, log);

  async function close(drainTimeoutMs?: number): Promise<void> {
    await stopFeed();
    await gateway.close(drainTimeoutMs === undefined ? {} : { drainTimeoutMs });
  }
  return {
    baseUrl: `https://localhost:${gateway.port}`,
    certificatePath: gateway.developmentCertificatePath ?? '',
    newToken: newToken?.token,
    gateway,
    close,
    [Symbol.asyncDispose]: () => close(0),
  };
}

/** Returns how to stop; a tick under way is waited for. */
async function startFeed({ store }: Gateway, log: (line: string) => void): Promise<() => Promise<void>> {
  await store.apply(STATIONS.map((record) => ({ resource: 'stations', op: 'put', record })));
  const feed = createFeed(await readObservations(store.source('observations')), Math.random);
  let tick = Promise.resolve();
  const timer = setInterval(() => {
    tick = tick
      .then(() => store.apply(feed.tick(Date.now())))
      .then(
        () => {},
        (error: unknown) => log(`the feed skipped a tick: ${String(error)}`),
      );
  }, FEED_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return tick;
  };
}

async function readObservations(source: RecordSource): Promise<Observation[]> {
  const observations: Observation[] = [];
  let page = await source.page({ sort: [], limit: PAGE_SIZE });
  const at = page.head.position;
  for (;;) {
    observations.push(...(parseBodies(page.bodies) as unknown as Observation[]));
    if (page.next === undefined) break;
    page = await source.page({ at, sort: [], limit: PAGE_SIZE, after: page.next });
  }
  return observations.sort((a, b) => (a.observed_at < b.observed_at ? -1 : 1));
}
