import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageAddresses } from '../running/client-address.ts';
import type { RequestHandler } from '../running/listener.ts';
import type { Metrics } from '../running/metrics.ts';
import type { AnswerCache } from './answer-cache.ts';
import { answerWith } from './respond.ts';

/** Asks the cache first, before creating a router, Request and Response; the app answers everything else. */
export function createAnswerListener(
  answers: AnswerCache,
  app: RequestHandler,
  metrics?: Metrics,
): RequestHandler {
  return async (incoming, outgoing) => {
    const startedMs = performance.now();
    const kept = answers.find(incoming, incoming.url ?? '');
    if (kept === undefined) return app(incoming, outgoing);
    const waitSeconds = await kept.limiter?.consume(messageAddresses(incoming));
    const answer = await answerWith(kept.rendering, incoming).catch(() => undefined);
    // Refusing and reporting failures is up to the app.
    if (waitSeconds !== undefined || answer === undefined) return app(incoming, outgoing);
    const { status, fields, body } = answer;
    outgoing.writeHead(status, fields);
    // The pipeline fails when the client disconnects early.
    if (body instanceof Readable) await pipeline(body, outgoing).catch(() => {});
    else outgoing.end(body);
    metrics?.count(kept.route, status, performance.now() - startedMs);
  };
}
