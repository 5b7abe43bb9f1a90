import type { HttpBindings } from '@hono/node-server';

/** What a handler gets from the Node server beneath Hono. */
export interface SandboxEnv {
  Bindings: HttpBindings;
}
