import { WebSocket } from 'ws';
import type { RunningGateway } from './running-gateway.ts';

/** A client that follows stations, and comes back from its last cursor whenever its connection ends or it is told to go. */
export interface ResumingFollower extends AsyncDisposable {
  /** Ids of the stations in the events that came, in order. */
  readonly ids: readonly string[];
  /** How its connections ended so far: close codes, 1000 where it left by itself after `go_away`. */
  readonly ends: readonly number[];
  /** Errors that it was sent. */
  readonly errors: readonly unknown[];
}

interface ServerMessage {
  readonly type: string;
  readonly id: string;
  readonly cursor: string;
  readonly resource_id: string;
}

/** Follows from a cursor on; resolves when it is subscribed. */
export async function followFrom(
  from: string,
  gateway: Pick<RunningGateway, 'url' | 'ca'>,
  token: string,
): Promise<ResumingFollower> {
  let cursor = from;
  const [ids, ends, errors]: [string[], number[], unknown[]] = [[], [], []];
  const isDone = new AbortController();
  const subscribed = Promise.withResolvers<void>();

  async function connection(): Promise<void> {
    const socket = new WebSocket(`${gateway.url.replace('https', 'wss')}/gateway`, 'rostack.v1', {
      ca: gateway.ca,
    });
    const send = (message: object) => socket.send(JSON.stringify(message));
    const close = () => socket.close(1000);
    isDone.signal.addEventListener('abort', close);
    socket.on('error', () => {});
    socket.on('open', () => send({ type: 'authenticate', method: 'shared_token', token }));
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as ServerMessage;
      if (message.type === 'authenticated')
        send({ type: 'subscribe', subscription_id: 's', resource: 'stations', cursor });
      if (message.type === 'subscribed') subscribed.resolve();
      if (message.type === 'error') errors.push(message);
      // One that does not answer is cut off as soon as a test takes longer than a heartbeat.
      if (message.type === 'ping') send({ type: 'pong', id: message.id });
      if (message.type === 'go_away') close();
      if (message.type !== 'event') return;
      ids.push(message.resource_id);
      ({ cursor } = message);
    });
    // Not `once` of node:events, which rejects where a connection is reset while it is made.
    const code = await new Promise<number>((resolve) => socket.once('close', resolve));
    isDone.signal.removeEventListener('abort', close);
    ends.push(code);
  }

  const running = (async () => {
    while (!isDone.signal.aborted) await connection();
  })();
  await subscribed.promise;
  return {
    ids,
    ends,
    errors,
    async [Symbol.asyncDispose]() {
      isDone.abort();
      await running;
    },
  };
}
