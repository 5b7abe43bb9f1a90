import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runExplorer } from './explorer-process.ts';

/** A server on loopback with the given listener. */
export async function startServer(
  listener: RequestListener,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const serving = (value: unknown): RequestListener => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (_, response) => response.setHeader('content-type', 'application/json').end(text);
};

/** How the command ends that cannot show anything. */
export async function refusal(
  ...args: string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  await using explorer = runExplorer(args);
  return { code: await explorer.exited(), stdout: explorer.stdout, stderr: explorer.stderr };
}
