import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from 'rostack-core';
import type { Gateway } from 'rostack-gateway';
import type { Random } from 'test-support/random';
import { type Place, placeOf } from '../follows/history.ts';

const RETRY_MS = 50;

interface Page {
  readonly items: readonly (JsonObject & { readonly id: string })[];
  readonly page: { readonly event_cursor: string; readonly next_cursor: string | null };
}

/** A chain of pages, as far as it came. */
export interface Chain {
  readonly place: Place;
  readonly records: ReadonlyMap<string, JsonObject>;
  /** When its cursor was refused, on the monotonic clock; undefined: it was not. */
  readonly refusedAtMs: number | undefined;
}

/**
 * Reads a whole list, each page from another gateway; undefined where none answers now.
 * @param gateways those that run, asked for with each page
 */

export async function readPages(
  gateways: () => readonly Gateway[],
  random: Random,
  token: string,
  resource: string,
  deadlineMs: number,
): Promise<Chain | undefined> {
  const records = new Map<string, JsonObject>();
  let place: Place | undefined;
  let cursor: string | null | undefined;
  while (performance.now() < deadlineMs) {
    const running = gateways();
    const response =
      running.length === 0 ? undefined : await ask(random.pick(running), token, resource, cursor);
    if (place !== undefined && response?.status === 400) {
      return { place, records, refusedAtMs: performance.now() };
    }
    if (response?.status !== 200) {
      await wait(RETRY_MS);
      continue;
    }
    const { items, page } = (await response.json()) as Page;
    place ??= placeOf(page.event_cursor);
    for (const item of items) records.set(item.id, item);
    cursor = page.next_cursor;
    if (cursor === null || cursor === undefined) return { place, records, refusedAtMs: undefined };
  }
  return undefined;
}

async function ask(gateway: Gateway, token: string, resource: string, cursor: string | null | undefined) {
  const query = cursor === undefined || cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const request = new Request(`${gateway.url}/api/${resource}?limit=9${query}`, {
    headers: { Authorization: `Rostack-Token ${token}` },
  });
  return gateway.app.fetch(request);
}
