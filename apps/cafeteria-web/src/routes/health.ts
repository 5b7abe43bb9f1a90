import type { Hono } from 'hono';
import { z } from 'zod';
import { BASE_HEADERS } from '../http/headers.ts';
import type { Site } from '../http/site.ts';
import { version } from '../version.ts';

const Status = z.enum(['ok', 'degraded', 'down']);

/** Body of `/api/health`. */
export const Health = z
  .object({
    status: Status,
    version: z.string().meta({ description: 'Version of this service.' }),
    time: z.iso.datetime().meta({ description: 'Now, UTC.' }),
    operators: z.array(
      z.object({
        vendor: z.enum(['welstory', 'shinsegae']),
        status: Status,
        lastSuccessAt: z.iso.datetime().nullable().meta({ description: 'Null until the first success.' }),
      }),
    ),
    store: z.enum(['ok', 'down']),
    prefetch: z
      .object({ done: z.int().min(0), total: z.int().min(0) })
      .optional()
      .meta({ description: 'How far reading the days ahead is; absent when nothing is being read.' }),
  })
  .meta({ id: 'Health', description: 'What works now.' });

/** `/api/health`: 503 when nothing can be answered. */
export function mountHealth(app: Hono, site: Site): void {
  app.get('/api/health', async (c) => {
    const { status, operators, store, prefetch } = await site.service.health();
    const body: z.infer<typeof Health> = {
      status,
      version,
      time: new Date(site.nowMs()).toISOString(),
      operators: operators.map((operator) => ({ ...operator })),
      store,
      ...(prefetch === undefined ? {} : { prefetch }),
    };
    return c.json(body, status === 'down' ? 503 : 200, { ...BASE_HEADERS, 'Cache-Control': 'no-store' });
  });
}
