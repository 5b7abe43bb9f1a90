import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { OptionsError } from 'rostack-core';
import { answerRefusal, endWithRefusal, type Refusal } from './refusal.ts';

/** Refuses methods that change something. */
export const READ_ONLY = {
  status: 405,
  reason: 'Use one of GET, HEAD, OPTIONS.',
  headers: { Allow: 'GET, HEAD, OPTIONS' },
} as const;

/** Whether a request, or its head, did not arrive within Node's time limit. */
export function isRequestTimeout(error: Error): boolean {
  return codeOf(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/**
 * Answers input that Node could not parse as a request with the problem invalid-request, and ends the connection. Sends no answer if the
 * client could not read it: before TLS is ready, after the client has disconnected, or in the middle of another answer.
 * @see protocol section 10
 */
export function answerClientError(error: Error, socket: Duplex): void {
  const code = codeOf(error);
  const isOfHttp = code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');
  if (isOfHttp && socket.writable && !isAnswering(socket))
    endWithRefusal(socket, { status: 400, reason: detailOf(error) }, isRequestTimeout(error) ? 0 : undefined);
  else socket.destroy();
}

/** Answers requests that Node would otherwise answer itself without a problem: unsupported expectations, and tunnels. */
export function answerForNode(server: Server | SecureServer): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    answerRefusal(response, { status: 400, reason: 'Send no Expect field but 100-continue.' }),
  );
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => endWithRefusal(socket, READ_ONLY));
}

/** Whether a client offers an upgrade to WebSocket; any other offer may be ignored (RFC 9110 section 7.8). */
export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return (headers.upgrade ?? '').split(',').some((name) => name.trim().toLowerCase() === 'websocket');
}

/** Why a request cannot be passed to an app: it has no host or two, or a method that apps do not handle (RFC 9112 section 3.2). */
export function faultOfRequest({ method, rawHeaders }: IncomingMessage): Refusal | undefined {
  if (method === 'TRACE') return READ_ONLY;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 ? undefined : { status: 400, reason: 'Send one Host field.' };
}

/** Answers a request whose upgrade offer is ignored. Its connection has no parser any more, so it ends. */
export function answerAsRequest(
  server: Server | SecureServer,
  request: IncomingMessage,
  socket: Duplex,
): void {
  // Node removes its own listener before `upgrade`; without one, a reset would end the process.
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => {
    response.detachSocket(socket as Socket);
    socket.end();
  });
  server.emit('request', request, response);
}

/** The path of a request as sent, without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function detailOf(error: Error): string {
  if (isRequestTimeout(error)) return 'The request did not arrive in time.';
  if (codeOf(error) === 'HPE_HEADER_OVERFLOW') return 'The header fields are too large.';
  return 'This is not an HTTP/1.1 request.';
}

/** Node stores the current answer on its socket, and checks there before it answers an error itself. */
function isAnswering(socket: Duplex): boolean {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : undefined;
  return (
    typeof answer === 'object' && answer !== null && 'headersSent' in answer && answer.headersSent === true
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Beginning of the message about wrong options. */
export const REFUSED = 'The implementation cannot be served';

/** Events of a Node server that start with a request that needs an answer. */
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
