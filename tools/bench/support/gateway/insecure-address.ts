import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/config-model.ts';

/** Where clients with `allowInsecureLoopback` reach a gateway without TLS, and the sections of the configuration that say so. */
export interface InsecureAddress {
  readonly url: string;
  readonly sections: Pick<ConfigInput, 'public_url' | 'listeners'>;
}

export async function insecureAddress(): Promise<InsecureAddress> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return {
    url: `http://127.0.0.1:${port}`,
    sections: {
      public_url: `https://127.0.0.1:${port}`,
      listeners: {
        data: { port, tls: 'off', trusted_proxies: ['127.0.0.1'], hosts: ['localhost'] },
        admin: { port: 0, token: { env: 'ADMIN_TOKEN' } },
      },
    },
  };
}
