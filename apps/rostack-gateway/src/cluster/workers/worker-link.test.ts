import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { ConnectionSlot } from 'rostack-server';
import { expect, test } from 'vitest';
import { WorkerLink } from './worker-link.ts';

type Sent = { readonly kind: string; readonly id?: number; readonly claims?: readonly ConnectionSlot[] };

/** A supervisor that answers the hello, and records all other messages. */
async function linked() {
  const events = new EventEmitter();
  const told: Sent[] = [];
  const channel = Object.assign(events, {
    send: (message: Sent) => {
      if (message.kind === 'hello') events.emit('message', { kind: 'answer', id: message.id, value: {} });
      else told.push(message);
      return true;
    },
  });
  const link = await WorkerLink.open(channel, () => {});
  const claims: readonly ConnectionSlot[] = [{ scope: 'all', key: '', max: 1 }];
  return {
    link,
    /** The places that were returned. */
    given: () => told.filter(({ kind }) => kind === 'places').map((each) => each.claims),
    claims,
    connect: (handle: unknown) =>
      void events.emit('message', { kind: 'connection', listener: 'data', claims }, handle),
  };
}

test('a connection that the worker cannot take gives its places back at once', async () => {
  const { connect, given, claims } = await linked();
  const socket = new Socket();
  connect(socket);
  expect(socket.destroyed).toBe(true);
  connect(undefined);
  expect(given()).toEqual([claims, claims]);
});

test('a connection that the worker takes gives its places back when it closes, once', async () => {
  const { link, connect, given, claims } = await linked();
  const server: Server = createServer();
  link.serve('data', server);
  const socket = new Socket();
  connect(socket);
  expect(given()).toEqual([]);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await closed;
  expect(given()).toEqual([claims]);
});
