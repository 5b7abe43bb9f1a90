import { temporaryFolder } from 'test-support/temporary-folder';
import { loadConfig } from '../../src/config/load-config.ts';
import { createGateway } from '../../src/serving/gateway/create-gateway.ts';
import type { Gateway } from '../../src/serving/gateway/gateway.ts';
import type { GatewayDependencies } from '../../src/serving/gateway/serve.ts';
import { checkGatewayLeft } from './nothing-left.ts';
import { type SampleConfig, writeSampleConfig } from './sample-config.ts';

export const ADMIN_TOKEN = 'admin-token-0123456789abcdef0123456789';

/** A gateway with an admin listener, in this process and a folder of its own. */
export interface AdminGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly folder: string;
  /** Of the admin listener. */
  readonly url: string;
  /** A request to the admin listener, with its token unless `token` is given. */
  readonly admin: (
    path: string,
    init?: RequestInit & { readonly token?: string | null },
  ) => Promise<Response>;
  /** Writes a station by `PUT`. */
  readonly put: (record: object, headers?: Record<string, string>, id?: string) => Promise<Response>;
  /** Deletes a station by `DELETE`. */
  readonly remove: (id: string, headers?: Record<string, string>) => Promise<Response>;
  /** The station as the store has it. */
  readonly stored: (id: string) => Promise<unknown>;
}

export interface AdminGatewayOptions extends SampleConfig {
  readonly environment?: Readonly<Record<string, string>>;
  readonly dependencies?: GatewayDependencies;
}

export async function adminGateway(options: AdminGatewayOptions = {}): Promise<AdminGateway> {
  const { environment = {}, dependencies, sections = '' } = options;
  const folder = await temporaryFolder();
  const file = await writeSampleConfig(folder.path, {
    ...options,
    sections: `listeners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }\n${sections}`,
  });
  const config = await loadConfig(file, { environment: { ADMIN_TOKEN, ...environment } });
  const gateway = await createGateway(config, dependencies);
  const url = `http://127.0.0.1:${gateway.adminPort}`;
  const admin: AdminGateway['admin'] = (path, { token = ADMIN_TOKEN, headers, ...init } = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { ...(token !== null && { Authorization: `Bearer ${token}` }), ...(headers as object) },
    });
  return {
    gateway,
    folder: folder.path,
    url,
    admin,
    put: (record, headers = {}, id = 'a') =>
      admin(`/resources/stations/${id}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(record),
      }),
    remove: (id, headers = {}) => admin(`/resources/stations/${id}`, { method: 'DELETE', headers }),
    async stored(id) {
      const found = await gateway.store.source('stations').get(id);
      return found === undefined || found === 'gone' ? found : (JSON.parse(found.body) as unknown);
    },
    async [Symbol.asyncDispose]() {
      await gateway.close({ drainTimeoutMs: 0 });
      try {
        await checkGatewayLeft(gateway, folder.path);
      } finally {
        await folder[Symbol.asyncDispose]();
      }
    },
  };
}
