import type { MiddlewareHandler } from 'hono';
import type { SandboxEnv } from '../server/bindings.ts';
import type { OperatorStats } from '../server/stats.ts';

/** Answers 200 with an empty body while another request of the account is running, as the operator does. */
export function oneAtATime(stats: OperatorStats): MiddlewareHandler<SandboxEnv> {
  let busy = false;
  return async (c, next) => {
    if (busy) {
      stats.refusedConcurrent += 1;
      return c.body('', 200);
    }
    busy = true;
    try {
      await next();
    } finally {
      busy = false;
    }
    return undefined;
  };
}
