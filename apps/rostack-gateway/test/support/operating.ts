import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { runCommand } from './run-command.ts';
import type { RunningGateway } from './running-gateway.ts';

export const ADMIN_TOKEN = 'admin-token-0123456789abcdef0123456789';
/** Sections of a configuration: an admin listener in addition to the data listener, on ports that are free. */
export const ADMIN = 'listeners: { data: { port: 0 }, admin: { port: 0, token: { env: ADMIN_TOKEN } } }';

/** A token that may read and follow stations. */
export async function createTokenIn(
  config: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const argv = [
    'token',
    'create',
    '--principal',
    'me',
    '--grant',
    'stations:read',
    '--grant',
    'stations:follow',
  ];
  const { exitCode, stdout } = await runCommand([...argv, '--config', config], { environment });
  expect(exitCode).toBe(0);
  return stdout.trim();
}

export interface Follower {
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[];
  readonly closed: Promise<number>;
}

/** Follows stations; resolves once it is subscribed. */
export async function follow({ url, ca }: RunningGateway, token: string): Promise<Follower> {
  const socket = new WebSocket(`${url.replace('https', 'wss')}/gateway`, 'rostack.v1', { ca });
  const messages: Record<string, unknown>[] = [];
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token })),
    );
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      // Tests look at what is said of the records; one that does not answer is cut off after a heartbeat.
      if (message['type'] === 'ping') {
        socket.send(JSON.stringify({ type: 'pong', id: message['id'] }));
        return;
      }
      messages.push(message);
      if (message['type'] === 'authenticated') {
        socket.send(JSON.stringify({ type: 'subscribe', subscription_id: 's', resource: 'stations' }));
      }
      if (message['type'] === 'subscribed') resolve();
    });
  });
  return { socket, messages, closed };
}

/** Address of its admin listener. */
export async function adminOf({ process }: RunningGateway): Promise<string> {
  const [, port] = await process.prints(/admin listener on port (\d+)/);
  return `http://127.0.0.1:${port}`;
}

/** Writes a station through the admin listener. */
export const put = (admin: string, id: string, height: number) =>
  fetch(`${admin}/resources/stations/${id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, height }),
  });
