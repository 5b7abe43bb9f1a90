import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CafeteriaConfig, readConfig, startCafeteria } from 'cafeteria-web';
import { type Clock, systemClock, type Vendor } from 'menu-client';
import { expect, vi } from 'vitest';
import { ANSWER_WAIT_MS } from '../../src/running/waits.ts';
import { checkNothingLeft } from './nothing-left.ts';

/** A Friday at 11:50 in Seoul: every restaurant serves, and lunch is now. */
export const LUNCH_MS = Date.parse('2026-11-20T02:50:00Z');

/** Runs like the real one from lunch on. */
const lunchClock: Clock = {
  ...systemClock,
  nowMs: () => LUNCH_MS + performance.now(),
};

/** A cafeteria over the sandbox on a free port, with a data folder of its own. */
export async function startTestCafeteria(changes: Partial<CafeteriaConfig> = {}, clock: Clock = lunchClock) {
  const dataDir = await mkdtemp(join(tmpdir(), 'cafeteria-'));
  const defaults = readConfig({
    CAFETERIA_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    CAFETERIA_PREFETCH_SECONDS: '0',
    CAFETERIA_READINGS_PER_MINUTE: '0',
  });
  // Pages wait as long as programs do, however slow the machine is; a test of what is on its way says how long.
  const cafeteria = await startCafeteria({ ...defaults, pageWaitMs: ANSWER_WAIT_MS, ...changes }, clock);
  return {
    url: cafeteria.url,
    metricsUrl: cafeteria.metricsUrl,
    async [Symbol.asyncDispose]() {
      await cafeteria.close();
      await checkNothingLeft(dataDir, [cafeteria.url, cafeteria.metricsUrl]);
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

/**
 * The URL answers 304, without a body, to whoever has its answer of just now. While menus and photos are still being
 * read, a page or a feed may be another one from one request to the next.
 */
export async function expectNotModified(url: string, headers: Record<string, string> = {}): Promise<void> {
  await vi.waitFor(async () => {
    const current = await fetch(url, { headers });
    await current.arrayBuffer();
    const etag = current.headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { ...headers, 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
}
