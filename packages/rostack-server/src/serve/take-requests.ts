import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { OptionsError } from 'rostack-core';
import { answerAsRequest, answerClientError, pathOf, READ_ONLY } from '../http/node-requests.ts';
import { answerRefusal, endWithRefusal } from '../http/refusal.ts';
import { offersWebSocket } from '../websocket/connection/upgrade.ts';

/** Beginning of the message about wrong options. */
export const REFUSED = 'The implementation cannot be served';

/** Events of a Node server that start with a request which has to be answered. */
const ASKING: ReadonlySet<string> = new Set(['request', 'upgrade', 'checkExpectation']);

/** Servers in use: each has room for one discovery document at its well-known path. */
const taken = new WeakSet<Server | SecureServer>();

/** Requests of one server that are answered by another one, which never listens. */
export interface TakenRequests extends Disposable {
  readonly inner: Server;
}

/**
 * Takes requests from a server before its other listeners see them, no matter in which order those are added: two listeners for one upgrade
 * would both answer it. Requests that no other listener takes are also answered by `inner`.
 * @throws OptionsError `invalid_options` if this was already done for the server
 */
export function takeRequests(
  server: Server | SecureServer,
  isOurs: (path: string) => boolean,
): TakenRequests {
  if (taken.has(server)) {
    throw new OptionsError(REFUSED, ['This server serves an implementation already: pass another one.']);
  }
  taken.add(server);
  const inner = createServer();
  const emit = server.emit.bind(server);
  const take = (event: string, ...args: unknown[]): boolean => {
    const [request] = args as [IncomingMessage];
    return ASKING.has(event) && isOurs(pathOf(request)) ? inner.emit(event, ...args) : emit(event, ...args);
  };
  server.emit = take as typeof emit;
  const stopAnswering = answerWhatNobodyTakes(server, inner);
  return {
    inner,
    [Symbol.dispose]() {
      stopAnswering();
      taken.delete(server);
      // If somebody has wrapped `emit` again, our wrapper has to stay, and passes everything on.
      if (server.emit === take) server.emit = emit;
      else isOurs = () => false;
    },
  };
}

/** Answers requests that no listener takes with problems, instead of leaving them to Node. */
function answerWhatNobodyTakes(server: Server | SecureServer, inner: Server): () => void {
  const listeners = {
    request(request: IncomingMessage, response: ServerResponse) {
      if (isAlone('request')) inner.emit('request', request, response);
    },
    upgrade(request: IncomingMessage, socket: Duplex) {
      if (!isAlone('upgrade')) return;
      if (offersWebSocket(request) && isAlone('request')) {
        endWithRefusal(socket, { status: 404, reason: 'There is no gateway here.' });
      } else answerAsRequest(server, request, socket);
    },
    checkExpectation(_request: IncomingMessage, response: ServerResponse) {
      if (isAlone('checkExpectation')) response.writeHead(417).end();
    },
    connect(_request: IncomingMessage, socket: Duplex) {
      if (isAlone('connect')) endWithRefusal(socket, READ_ONLY);
    },
    clientError(error: Error, socket: Duplex) {
      if (isAlone('clientError')) answerClientError(error, socket);
    },
  };
  const isAlone = (event: keyof typeof listeners) => server.listenerCount(event) === 1;
  inner.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    answerRefusal(response, { status: 400, reason: 'Send no Expect field but 100-continue.' }),
  );
  for (const [event, listener] of Object.entries(listeners)) server.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) server.off(event, listener);
  };
}
