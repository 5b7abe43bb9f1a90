import { createServer } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PerMessageDeflateOptions, WebSocketServer } from 'ws';
import { listen } from '../../support/listen.ts';
import type { SinkPlan } from '../../support/sockets/frame-sink-worker.ts';
import { point, type ServedPoints, servePoints } from './served-points.ts';

export const SUBSCRIBERS = 1_000;

/** A server in this process that delivers events to its subscribers. */
export interface Contender extends AsyncDisposable {
  readonly plan: SinkPlan;
  /** Delivers one event to all subscribers. */
  readonly one: () => Promise<void> | void;
  /** Delivers several as fast as it can, if that is another thing. */
  readonly many?: (count: number) => Promise<void>;
}

/** The gateway, whose events are written to its store. @param noteOf the part of an event that makes it long */
export async function gatewayContender(
  noteOf: (value: number) => string,
  compression = false,
): Promise<Contender & Required<Pick<Contender, 'many'>> & { readonly gateway: ServedPoints }> {
  const gateway = await servePoints('sqlite::memory:', { compression });
  let value = 0;
  const one = () => {
    value += 1;
    return gateway.put(point('p', value, noteOf(value)));
  };
  return {
    gateway,
    plan: gateway.plan(SUBSCRIBERS, {}),
    one,
    many: async (count) => {
      await Promise.all(Array.from({ length: count }, one));
    },
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** `ws`, which sends a ready text to each socket. */
export async function wsContender(
  textOf: (value: number) => Buffer,
  perMessageDeflate: PerMessageDeflateOptions | false = false,
): Promise<Contender> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate });
  let value = 0;
  return {
    plan: {
      port: await listen(server),
      path: '/',
      connections: SUBSCRIBERS,
      greetings: [],
      framesUntilReady: 0,
    },
    one: () => {
      value += 1;
      const text = textOf(value);
      for (const client of sockets.clients) client.send(text, { binary: false });
    },
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      server.close();
    },
  };
}

/** Delivers each event in a turn of its own. */
export async function oneByOne(contender: Contender, events: number): Promise<void> {
  for (let count = 0; count < events; count += 1) {
    await contender.one();
    await nextTurn();
  }
}
