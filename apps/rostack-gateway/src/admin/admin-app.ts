import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { requireToken } from './admin-authentication.ts';
import type { AdminAppOptions } from './admin-options.ts';
import { AdminProblem, problemAnswer, toAdminProblem } from './admin-problem.ts';
import { changesRoute } from './changes-route.ts';
import { deleteRoute, putRoute } from './record-routes.ts';

/**
 * The app of the admin listener: writes, metrics, health. `/healthz` and `/readyz` answer without the token, for orchestrators;
 * everything else needs it.
 */
export function createAdminApp(options: AdminAppOptions): Hono {
  const { metrics, logger, health } = options;
  const app = new Hono();
  app.use(async (c, next) => {
    const startedAtMs = performance.now();
    await next();
    const durationMs = Math.round(performance.now() - startedAtMs);
    const level = c.req.method === 'GET' ? 'debug' : 'info';
    logger[level](
      { method: c.req.method, route: routePath(c, -1), path: c.req.path, status: c.res.status, durationMs },
      'admin request',
    );
  });
  app.onError((error, c) => {
    const problem = toAdminProblem(error);
    if (problem !== error) logger.error({ err: error, path: c.req.path }, 'admin request failed');
    return problemAnswer(c, problem);
  });
  app.get('/healthz', async (c) => {
    const silent = await health.silentWorkers();
    if (silent.length === 0) return c.json({ status: 'ok' });
    logger.warn({ workers: silent }, 'workers do not answer');
    return c.json({ status: 'not_ok', silent_workers: silent }, 503);
  });
  let failing = '';
  app.get('/readyz', async (c) => {
    const { isReady, ...findings } = await health.look();
    const names = Object.keys(findings.reasons).join(', ');
    if (names !== failing) logger[isReady ? 'info' : 'warn'](findings, isReady ? 'ready again' : 'not ready');
    failing = names;
    return c.json({ status: isReady ? 'ready' : 'not_ready', ...findings }, isReady ? 200 : 503);
  });
  app.use(requireToken(options.token, options.failures));
  if (metrics !== undefined) {
    app.get('/metrics', async (c) =>
      c.text(await metrics.read(), 200, { 'Content-Type': metrics.contentType }),
    );
  }
  app.get('/status', async (c) => c.json(await options.report()));
  app.put('/resources/:name/:id', putRoute(options));
  app.delete('/resources/:name/:id', deleteRoute(options));
  app.post('/resources/:name/changes', changesRoute(options));
  app.notFound((c) => problemAnswer(c, new AdminProblem('not_found', 'There is nothing here.')));
  return app;
}
