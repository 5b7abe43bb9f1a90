import type { HttpBindings } from '@hono/node-server';

/** What a handler gets from the Node server that Hono runs on. */
export interface SandboxEnv {
  Bindings: HttpBindings;
}
