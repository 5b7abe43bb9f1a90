import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { createProblem, PROBLEM_MEDIA_TYPE } from 'rostack-core';

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
  if (!isOfHttp || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(
    createProblem('invalid-request', { detail: detailOf(error), request_id: requestId }),
  );
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
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
