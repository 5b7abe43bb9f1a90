import {
  createMenuService,
  openMenuStore,
  planeatOperator,
  type Restaurant,
  seoulToday,
  welstoryOperator,
} from 'menu-client';
import { DEFAULT_CREDENTIALS, startSandbox } from 'menu-sandbox';

/** Reads 7 days of all 600 sample restaurants into a SQLite file, as the prefetcher of the service does. */
export async function fillStore(
  url: string,
): Promise<{ readonly restaurants: readonly Restaurant[]; readonly today: string }> {
  await using sandbox = await startSandbox({ latencyMs: 0 });
  const pace = { maxRequestsPerMinute: 600_000 };
  await using service = createMenuService({
    operators: [
      welstoryOperator({ ...DEFAULT_CREDENTIALS, ...pace, baseUrl: sandbox.welstoryUrl }),
      planeatOperator({ ...pace, baseUrl: sandbox.planeatUrl, maxConcurrentRequests: 8 }),
    ],
    store: await openMenuStore(url),
    prefetch: true,
  });
  for (;;) {
    const { prefetch } = await service.health();
    if (prefetch !== undefined && prefetch.total > 0 && prefetch.done >= prefetch.total) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { restaurants: await service.restaurants(), today: seoulToday(Date.now()) };
}
