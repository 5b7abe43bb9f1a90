import { Hono } from 'hono';
import { FAULTS } from '../faults/fault-rule.ts';
import type { SandboxEnv } from './bindings.ts';
import type { SandboxContext } from './context.ts';
import { SandboxError } from './errors.ts';
import { parseFaults } from './options.ts';

/** `/_sandbox`: for tests in another process, to read the statistics and change the faults. */
export function controlRoutes(context: SandboxContext): Hono<SandboxEnv> {
  return new Hono<SandboxEnv>()
    .get('/stats', (c) => c.json(context.stats))
    .get('/faults', (c) => c.json(FAULTS))
    .put('/faults', async (c) => {
      try {
        context.injector.replace(parseFaults(await c.req.json()));
        return c.body(null, 204);
      } catch (error) {
        const known = error instanceof SandboxError || error instanceof SyntaxError;
        if (!known) throw error;
        return c.json({ message: error.message }, 400);
      }
    });
}
