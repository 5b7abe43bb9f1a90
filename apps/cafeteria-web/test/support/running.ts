import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CafeteriaConfig, readConfig, startCafeteria } from 'cafeteria-web';
import type { Clock, Vendor } from 'menu-client';

/** A cafeteria over the sandbox on a free port, with a data folder of its own. */
export async function startTestCafeteria(changes: Partial<CafeteriaConfig> = {}, clock?: Clock) {
  const dataDir = await mkdtemp(join(tmpdir(), 'cafeteria-'));
  const defaults = readConfig({
    CAFETERIA_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    CAFETERIA_PREFETCH_SECONDS: '0',
  });
  const cafeteria = await startCafeteria({ ...defaults, ...changes }, clock);
  return {
    url: cafeteria.url,
    metricsUrl: cafeteria.metricsUrl,
    async [Symbol.asyncDispose]() {
      await cafeteria.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Item {
  readonly id: string;
  readonly name: string;
  readonly vendor: Vendor;
  readonly path: string;
  readonly location: readonly string[];
}

/** What `/proxy/search` finds. */
export async function find(url: string, query: string, limit = 20): Promise<Item[]> {
  const response = await fetch(
    `${url}/proxy/search?${new URLSearchParams({ q: query, limit: String(limit) }).toString()}`,
  );
  return (await response.json()) as Item[];
}

/** The first restaurant of a search; throws when there is none. */
export async function findOne(url: string, query: string): Promise<Item> {
  const [item] = await find(url, query, 1);
  if (item === undefined) throw new Error(`nothing is found for ${query}`);
  return item;
}
