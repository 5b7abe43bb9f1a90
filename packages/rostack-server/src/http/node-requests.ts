import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerRefusal, endWithRefusal, type Refusal } from './refusal.ts';

/** The refusal of a method that changes something. */
export const READ_ONLY = {
  status: 405,
  reason: 'Use one of GET, HEAD, OPTIONS.',
  headers: { Allow: 'GET, HEAD, OPTIONS' },
} as const;

/** Whether Node gave up waiting for a request, or for its head. */
export function isRequestTimeout(error: Error): boolean {
  return codeOf(error) === 'ERR_HTTP_REQUEST_TIMEOUT';
}

/**
 * Answers what Node could not read as a request with the problem invalid-request, and ends the connection. There is no answer where
 * the client could not read it: before TLS is ready, when the client is gone, in the middle of another answer.
 * @see protocol section 10
 */
export function answerClientError(error: Error, socket: Duplex): void {
  const code = codeOf(error);
  const isOfHttp = code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');
  if (isOfHttp && socket.writable && !isAnswering(socket))
    endWithRefusal(socket, { status: 400, reason: detailOf(error) }, isRequestTimeout(error) ? 0 : undefined);
  else socket.destroy();
}

/** Answers what Node would answer by itself, without a problem: expectations that nobody meets, and tunnels. */
export function answerForNode(server: Server | SecureServer): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) =>
    answerRefusal(response, { status: 400, reason: 'Send no Expect field but 100-continue.' }),
  );
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => endWithRefusal(socket, READ_ONLY));
}

/** Why a request cannot be handed to an app: it names no host or two, or has a method that is not for apps (RFC 9112 section 3.2). */
export function faultOfRequest({ method, rawHeaders }: IncomingMessage): Refusal | undefined {
  if (method === 'TRACE') return READ_ONLY;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 ? undefined : { status: 400, reason: 'Send one Host field.' };
}

/** Answers a request whose offer to go on with another protocol is ignored. Its connection has no parser any more, so it ends. */
export function answerAsRequest(
  server: Server | SecureServer,
  request: IncomingMessage,
  socket: Duplex,
): void {
  // Node takes its own listener off before `upgrade`; a reset without one ends the process.
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

/** The path of a request as it was sent, without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

function detailOf(error: Error): string {
  if (isRequestTimeout(error)) return 'The request did not arrive in time.';
  if (codeOf(error) === 'HPE_HEADER_OVERFLOW') return 'The header fields are too large.';
  return 'This is no HTTP/1.1 request.';
}

/** Node keeps the answer under way at its socket; it looks there before it answers an error itself, too. */
function isAnswering(socket: Duplex): boolean {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : undefined;
  return (
    typeof answer === 'object' && answer !== null && 'headersSent' in answer && answer.headersSent === true
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
