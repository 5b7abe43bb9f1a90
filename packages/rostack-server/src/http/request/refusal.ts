import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProblemSlug } from 'rostack-core';
import { HttpProblem } from '../problem/http-problem.ts';
import { problemReply } from './problem-reply.ts';

/** An HTTP answer that refuses a request before it reaches an app. */
export interface Refusal {
  /** HTTP status; it decides the problem type of the answer. */
  readonly status: 400 | 403 | 404 | 405 | 429 | 500 | 503;
  /** A sentence for people; contains no credential and nothing hidden. */
  readonly reason: string;
  /**
   * For the header field `Retry-After` and, in ms, `retry_after_ms`; whole seconds.
   * @default 1 where the problem needs one
   */
  readonly retryAfterSeconds?: number;
  /** Header fields that HTTP requires with this answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

const SLUGS: ReadonlyMap<number, ProblemSlug> = new Map([
  [400, 'invalid-request'],
  [403, 'permission-denied'],
  [404, 'resource-not-found'],
  [405, 'method-not-allowed'],
  [429, 'rate-limited'],
  [500, 'internal-error'],
  [503, 'service-unavailable'],
]);
/** Header fields that tell a client how to open a WebSocket (RFC 6455 section 4.4, RFC 9110 section 15.5.22). */
export const UPGRADE_FIELDS = { Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' } as const;

/** If a client is still sending, closing the connection at once would lose the answer. */
const LINGER_MS = 500;
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Answers a request with the problem of a refusal, and ends the connection. @see protocol section 10 */
export function answerRefusal(response: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = replyOf(refusal);
  response.writeHead(status, headers).end(body);
}

/** As `answerRefusal`, on the socket itself, without a response object. @param lingerMs how long the client may keep sending */
export function endWithRefusal(socket: Duplex, refusal: Refusal, lingerMs = LINGER_MS): void {
  const { status, headers, body } = replyOf(refusal);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  socket.once('finish', () => {
    if (lingerMs === 0) {
      socket.destroy();
      return;
    }
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function replyOf(refusal: Refusal) {
  const requestId = randomUUID();
  const { status, headers, body } = problemReply(problemOf(refusal), requestId);
  return {
    status,
    headers: {
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      Connection: 'close',
    },
    body,
  };
}

function problemOf({ status, reason, retryAfterSeconds, headers }: Refusal): HttpProblem {
  // Callers without types may pass other statuses.
  const slug = SLUGS.get(status) ?? (status < 500 ? 'invalid-request' : 'internal-error');
  if (slug !== 'rate-limited' && slug !== 'service-unavailable') return HttpProblem.of(slug, reason, headers);
  return HttpProblem.retryable(slug, reason, (retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) * 1_000);
}
