import {
  addDays,
  createMenuService,
  type MenuStore,
  openMenuStore,
  openOperators,
  type Restaurant,
  type StoredEntry,
  seoulToday,
} from 'menu-client';
import { startSandbox } from 'menu-sandbox';

const DAYS = 7;

interface Filled {
  readonly restaurants: readonly Restaurant[];
  readonly today: string;
}

/**
 * Puts 7 days of all 600 sample restaurants into a SQLite file: one weekday as the prefetcher of the service reads it,
 * and the others as copies of that day. To read all seven takes minutes, most of them for the items of take-out bundles.
 */
export async function fillStore(url: string): Promise<Filled> {
  const today = seoulToday(Date.now());
  const weekday = firstWeekday(today);
  const dates = Array.from({ length: DAYS }, (_, days) => addDays(today, days));
  const restaurants = await readDays(url, dates.indexOf(weekday) + 1);
  await using store = await openMenuStore(url);
  for (const date of dates) if (date !== weekday) await copyDay(store, weekday, date);
  return { restaurants, today };
}

/** At weekends most restaurants are closed. */
function firstWeekday(date: string): string {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return day === 0 || day === 6 ? firstWeekday(addDays(date, 1)) : date;
}

async function readDays(url: string, days: number): Promise<readonly Restaurant[]> {
  await using sandbox = await startSandbox({ latencyMs: 0 });
  await using service = createMenuService({
    operators: openOperators(sandbox.environment, { maxRequestsPerMinute: 600_000 }),
    store: await openMenuStore(url),
    prefetch: { days },
  });
  for (;;) {
    const { prefetch } = await service.health();
    if (prefetch !== undefined && prefetch.total > 0 && prefetch.done >= prefetch.total) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return (await service.restaurants()).restaurants;
}

async function copyDay(store: MenuStore, from: string, to: string): Promise<void> {
  let after: StoredEntry | undefined;
  do {
    const page = await store.readDays({
      from,
      to: from,
      limit: 500,
      ...(after === undefined ? {} : { after: after.key }),
    });
    for (const { key, body } of page) {
      const copy = { ...key, date: to };
      const before = await store.read(copy);
      await store.write(copy, body, before?.revision ?? 0);
    }
    after = page.at(-1);
  } while (after !== undefined);
}
