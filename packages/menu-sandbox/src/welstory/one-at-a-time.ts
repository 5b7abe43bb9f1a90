import type { MiddlewareHandler } from 'hono';
import type { SandboxEnv } from '../server/bindings.ts';
import type { OperatorStats } from '../server/stats.ts';

/**
 * Answers 200 with an empty body while another request of the account is under way, as the operator does.
 * The place is free again when the handler is done or its client has gone.
 */
export function oneAtATime(stats: OperatorStats): MiddlewareHandler<SandboxEnv> {
  let busy = false;
  return async (c, next) => {
    if (busy) {
      stats.refusedConcurrent += 1;
      return c.body('', 200);
    }
    busy = true;
    let mine = true;
    const release = () => {
      if (mine) busy = false;
      mine = false;
    };
    c.env.outgoing.once('close', release);
    try {
      await next();
    } finally {
      release();
    }
    return undefined;
  };
}
