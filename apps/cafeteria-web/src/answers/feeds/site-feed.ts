import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DailyMenu, type MenuService, type Restaurant, seoulToday } from 'menu-client';
import type { PageContext } from '../../render/page-context.ts';
import { plainLine, sentences } from '../../render/plain-text.ts';
import { lastChange, renderFeedFrame, renderFeedItems } from '../../render/rss/menu-feed.ts';
import { BASE_HEADERS } from '../http/headers.ts';
import { Rendering } from '../rendering.ts';
import { GzipText } from './gzip-text.ts';

export interface SiteFeedOptions {
  readonly service: MenuService;
  readonly nowMs: () => number;
  /** What the feed is rendered with; called for each copy. */
  readonly page: () => PageContext;
  readonly onError: (error: unknown) => void;
  /** Time between two copies when nothing changed here, since another process may have read menus. @default 300000 */
  readonly maxAgeMs?: number;
  /** Time between two copies while menus change. @default 30000 */
  readonly minAgeMs?: number;
}

const gunzipAsync = promisify(gunzip);

const DAYS = 7;
const CHECK_EVERY_MS = 1_000;
const HEADERS = {
  ...BASE_HEADERS,
  'Content-Type': 'application/rss+xml; charset=utf-8',
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
};

/** The feed of all restaurants, an item per restaurant and day. A ready copy is rebuilt in the background, one restaurant at a time. */
export class SiteFeed {
  readonly #options: SiteFeedOptions;
  readonly #timer: NodeJS.Timeout;
  #copy: Rendering | undefined;
  #origin = '';
  /** The ready copy rewritten with links at another origin. */
  #elsewhere: { readonly copy: Rendering; readonly origin: string; readonly own: Rendering } | undefined;
  #building: Promise<Rendering> | undefined;
  #builtAtMs = Number.NEGATIVE_INFINITY;
  #builtFor = '';
  #changed = true;
  #closed = false;

  constructor(options: SiteFeedOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#refresh(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  /** Call when menus have changed: the next copy is made sooner. */
  noteChange(): void {
    this.#changed = true;
  }

  /** The ready copy; undefined until the first one is made. */
  get ready(): Rendering | undefined {
    return this.#copy;
  }

  /** The ready copy with links at this origin; waits for the very first one. */
  async current(origin: string): Promise<Rendering> {
    const copy = this.#copy ?? (await this.#start());
    if (origin === this.#origin) return copy;
    // Only a loopback address has several names.
    if (this.#elsewhere?.copy !== copy || this.#elsewhere.origin !== origin) {
      const text = (await gunzipAsync(await copy.compressed())).toString('utf8');
      const own = new Rendering(text.replaceAll(this.#origin, origin), HEADERS);
      this.#elsewhere = { copy, origin, own };
    }
    return this.#elsewhere.own;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#building?.catch(() => {});
  }

  #refresh(): void {
    const { nowMs, maxAgeMs = 300_000, minAgeMs = 30_000 } = this.#options;
    const ageMs = nowMs() - this.#builtAtMs;
    const due =
      ageMs >= maxAgeMs || (ageMs >= minAgeMs && this.#changed) || this.#builtFor !== seoulToday(nowMs());
    if (due) this.#start().catch(this.#options.onError);
  }

  #start(): Promise<Rendering> {
    this.#building ??= this.#build().finally(() => {
      this.#building = undefined;
    });
    return this.#building;
  }

  async #build(): Promise<Rendering> {
    const { service, nowMs, page: makePage } = this.#options;
    const page = makePage();
    this.#changed = false;
    this.#builtAtMs = nowMs();
    this.#builtFor = page.today;
    const { restaurants } = await service.restaurants();
    const nameOf = placeNames(restaurants);
    const parts: Buffer[] = [];
    let known = 0;
    let changedAt: string | undefined;
    let failed = 0;
    let group: DailyMenu[] = [];
    const flush = async (): Promise<void> => {
      const [first] = group;
      if (first === undefined) return;
      known += group.length;
      parts.push(Buffer.from(renderFeedItems(page, group, nameOf(first.restaurant)), 'utf8'));
      const last = lastChange(group);
      if (last !== undefined && (changedAt === undefined || last > changedAt)) changedAt = last;
      failed += group.flatMap((day) => day.periods).filter((period) => period.status === 'failed').length;
      group = [];
      await nextTurn();
    };
    for await (const day of service.knownDays(page.today, DAYS)) {
      if (this.#closed) break;
      const last = group[0]?.restaurant;
      if (last?.id !== day.restaurant.id || last.vendor !== day.restaurant.vendor) await flush();
      group.push(day);
    }
    await flush();
    const missing = restaurants.length * DAYS - known;
    this.#copy = await this.#assemble(page, parts, changedAt, { failed, missing });
    this.#origin = page.origin;
    return this.#copy;
  }

  async #assemble(
    page: PageContext,
    items: Buffer[],
    changedAt: string | undefined,
    { failed, missing }: { readonly failed: number; readonly missing: number },
  ): Promise<Rendering> {
    const { text } = page;
    const notes = [
      text.siteFeedDescription,
      ...(page.sampleData ? [text.sampleData] : []),
      ...(failed === 0 ? [] : [text.siteFeedFailed(failed)]),
      ...(missing <= 0 ? [] : [text.siteFeedMissing(missing)]),
    ];
    const { start, end } = renderFeedFrame(page, {
      title: text.siteName,
      description: sentences(notes),
      pagePath: '/',
      feedPath: '/rss.xml',
      changedAt,
    });
    // Several megabytes: hashed and compressed in pieces that are freed at once, so that no request waits for it.
    const whole = new GzipText();
    await whole.write(start);
    for (let part = items.shift(); part !== undefined; part = items.shift()) {
      await whole.write(part);
      await nextTurn();
    }
    await whole.write(end);
    return new Rendering(await whole.end(), HEADERS);
  }
}

/** Company and place, then the name, without repeating a word that both have. */
function placeName({ name, location }: Restaurant): string {
  const own = plainLine(name);
  const places = location.map(plainLine).filter((place) => !own.startsWith(place));
  return [...places, own].join(' ');
}

/** A name for each restaurant that none of the others has: where names and places are the same, the id tells them apart. */
function placeNames(restaurants: readonly Restaurant[]): (restaurant: Restaurant) => string {
  const counts = new Map<string, number>();
  for (const restaurant of restaurants) {
    const name = placeName(restaurant);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return (restaurant) => {
    const name = placeName(restaurant);
    return (counts.get(name) ?? 0) > 1 ? `${name} (${restaurant.vendor} ${restaurant.id})` : name;
  };
}
