import { freePort } from 'test-support/free-port';
import type { ConfigInput } from '../../../../apps/rostack-gateway/src/config/model/config-model.ts';

/** Where clients with `allowInsecureLoopback` reach a gateway without TLS, and the sections of the configuration that say so. */
export interface InsecureAddress {
  readonly url: string;
  readonly sections: Pick<ConfigInput, 'public_url' | 'listeners'>;
}

export async function insecureAddress(): Promise<InsecureAddress> {
  const port = await freePort();
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
