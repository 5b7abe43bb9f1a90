import type { Hono } from 'hono';
import type { MenuService } from 'menu-client';
import type { z } from 'zod';
import { BASE_HEADERS, NOT_KEPT, RETRY_LATER } from '../answers/http/headers.ts';
import type { Health } from '../answers/json/schemas.ts';
import { version } from '../render/discovery/identity.ts';

interface Parts {
  readonly service: MenuService;
  readonly nowMs: () => number;
}

/** `/api/health`: 503 while nothing can be answered. */
export function mountHealth(app: Hono, { service, nowMs }: Parts): void {
  app.get('/api/health', async (c) => {
    const { status, operators, store, prefetch } = await service.health();
    const body: z.infer<typeof Health> = {
      status,
      version,
      time: new Date(nowMs()).toISOString(),
      operators: operators.map((operator) => ({
        ...operator,
        retrying: [...operator.retrying],
        needsPerson: operator.needsPerson === null ? null : { ...operator.needsPerson },
        circuit: { ...operator.circuit },
      })),
      store,
      ...(prefetch === undefined ? {} : { prefetch }),
    };
    return c.json(body, status === 'down' ? 503 : 200, {
      ...BASE_HEADERS,
      ...NOT_KEPT,
      ...(status === 'down' ? RETRY_LATER : {}),
    });
  });
}
