import { createMenuService, openMenuStore, openOperators, type Restaurant, seoulToday } from 'menu-client';
import { startSandbox } from 'menu-sandbox';

/** Reads 7 days of all 600 sample restaurants into a SQLite file, as the prefetcher of the service does. */
export async function fillStore(
  url: string,
): Promise<{ readonly restaurants: readonly Restaurant[]; readonly today: string }> {
  await using sandbox = await startSandbox({ latencyMs: 0 });
  await using service = createMenuService({
    operators: openOperators(sandbox.environment, { maxRequestsPerMinute: 600_000 }),
    store: await openMenuStore(url),
    prefetch: true,
  });
  for (;;) {
    const { prefetch } = await service.health();
    if (prefetch !== undefined && prefetch.total > 0 && prefetch.done >= prefetch.total) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { restaurants: (await service.restaurants()).restaurants, today: seoulToday(Date.now()) };
}
