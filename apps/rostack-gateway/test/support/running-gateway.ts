import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, type GetOptions, get } from './get.ts';
import { type GatewayProcess, spawnGateway } from './spawn-gateway.ts';

/** A gateway in a process of its own, with the development certificate of its folder. */
export interface RunningGateway extends AsyncDisposable {
  readonly process: GatewayProcess;
  readonly url: string;
  /** PEM of the development certificate. */
  readonly ca: string;
  readonly get: (path: string, options?: GetOptions) => Promise<Answer>;
}

/** Starts `rostack-gateway start` on the configuration in a folder and waits until it serves. */
export async function startGateway(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> {
  const process = spawnGateway(['start'], { folder, environment });
  const [, port] = await process.prints(/on port (\d+)/);
  const url = `https://localhost:${port}`;
  const ca = await readFile(join(folder, 'data/localhost.crt.pem'), 'utf8');
  return {
    process,
    url,
    ca,
    get: (path, options) => get(`${url}${path}`, { ca, ...options }),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}
