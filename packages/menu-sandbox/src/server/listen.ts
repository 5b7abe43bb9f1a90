import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import type { SandboxEnv } from '../traffic/context.ts';
import { SandboxError } from './errors.ts';

export interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 only. @throws SandboxError `port_in_use` */
export async function listen(app: Hono<SandboxEnv>, port: number): Promise<Listener> {
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!inUse) throw error;
    throw new SandboxError('port_in_use', `Port ${port} is in use; choose another one, or 0 for a free one.`);
  }
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
