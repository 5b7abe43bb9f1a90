import type { Hono } from 'hono';
import type { MenuService } from 'menu-client';
import type { z } from 'zod';
import { BASE_HEADERS, NOT_KEPT, RETRY_LATER } from '../answers/http/headers.ts';
import { Health } from '../answers/json/schemas.ts';
import { FAULT, TOO_LARGE } from '../answers/openapi/answers.ts';
import { describedRoute } from '../answers/openapi/described-route.ts';
import { version } from '../render/discovery/identity.ts';

interface Parts {
  readonly service: MenuService;
  readonly nowMs: () => number;
}

const HEALTH_EXAMPLE = {
  status: 'ok',
  version,
  time: '2026-11-20T02:02:00.000Z',
  operators: [
    {
      vendor: 'welstory',
      status: 'ok',
      lastSuccessAt: '2026-11-20T02:01:30.000Z',
      retrying: [],
      needsPerson: null,
      circuit: { state: 'closed', failures: 0, retryAt: null },
    },
  ],
  store: 'ok',
} as const;
const DOWN_EXAMPLE = {
  ...HEALTH_EXAMPLE,
  status: 'down',
  operators: [
    {
      vendor: 'welstory',
      status: 'down',
      lastSuccessAt: null,
      retrying: [{ what: 'restaurants', reason: 'operator_timeout', since: '2026-11-20T02:00:00.000Z' }],
      needsPerson: null,
      circuit: { state: 'open', failures: 5, retryAt: '2026-11-20T02:02:20.000Z' },
    },
  ],
} as const;

/** `/api/health`: what works now; 503 while nothing can be answered. */
export const healthRoute = describedRoute('/api/health', {
  operationId: 'getHealth',
  summary: 'What works now',
  tags: ['service'],
  responses: {
    '200': {
      description: 'Questions are answered truly, if only from the cache.',
      content: { 'application/json': { schema: Health, example: HEALTH_EXAMPLE } },
    },
    '503': {
      description: 'Nothing can be answered: nothing was ever read. Retry-After says when to try again.',
      content: {
        'application/json': { schema: Health, example: DOWN_EXAMPLE },
      },
    },
    '431': TOO_LARGE,
    '500': FAULT,
  },
});

/** Mounts `healthRoute`. */
export function mountHealth(app: Hono, { service, nowMs }: Parts): void {
  app.get(healthRoute.path, async (c) => {
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
