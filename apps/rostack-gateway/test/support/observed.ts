import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Gateway } from '../../src/serving/gateway/gateway.ts';
import { createToken } from '../../src/serving/token/tokens.ts';

/** Changes that put so many stations. */
export const records = (count: number) =>
  Array.from({ length: count }, (_, height) => ({
    resource: 'stations',
    op: 'put' as const,
    record: { id: `s${height}`, height },
  }));

/** A new token that may read and follow stations. */
export async function tokenFor(gateway: Gateway): Promise<string> {
  const { token } = await createToken(gateway.store.tokens, {
    subject: 'me',
    grants: ['stations:read', 'stations:follow'],
  });
  return token;
}

export const caOf = (gateway: Gateway) => readFileSync(gateway.developmentCertificatePath ?? '', 'utf8');

/** A client that has subscribed to stations. */
export async function follow(gateway: Gateway, token: string): Promise<WebSocket> {
  const { websocket } = gateway.implementation.discovery.endpoints;
  const socket = new WebSocket(websocket, 'rostack.v1', { ca: caOf(gateway) });
  socket.on('message', (data: Buffer) => {
    const { type, id } = JSON.parse(data.toString()) as { readonly type: string; readonly id?: string };
    if (type === 'ping') socket.send(JSON.stringify({ type: 'pong', id }));
  });
  const next = async () => {
    const [data] = (await once(socket, 'message')) as [Buffer];
    return JSON.parse(data.toString()) as { type: string };
  };
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
  expect(await next()).toMatchObject({ type: 'authenticated' });
  socket.send(JSON.stringify({ type: 'subscribe', subscription_id: 's', resource: 'stations' }));
  expect(await next()).toMatchObject({ type: 'subscribed' });
  return socket;
}

/** Keeps what is written to it. */
export class Lines extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  get objects(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}
