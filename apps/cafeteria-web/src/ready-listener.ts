import type { ServerResponse } from 'node:http';
import { acceptsGzip, matchesTag, notModifiedFields } from './http/conditional.ts';
import { findReady, type ReadyRequest } from './http/ready-answers.ts';
import type { Rendering } from './http/rendering.ts';
import type { Site } from './http/site.ts';
import type { RequestHandler } from './listener.ts';
import { clientNetwork } from './running/client-address.ts';

interface Answer {
  readonly status: 200 | 304;
  readonly fields: string[];
  readonly body?: Buffer;
}

/** Undefined where the form that the request takes has to be made first. */
function answerTo({ method, headers }: ReadyRequest, rendering: Rendering): Answer | undefined {
  if (matchesTag(headers['if-none-match'], rendering.etag)) {
    return { status: 304, fields: notModifiedFields(rendering.fields) };
  }
  const form = rendering.ready(acceptsGzip(headers['accept-encoding']?.toString()));
  if (form === undefined) return undefined;
  return method === 'HEAD' ? { status: 200, fields: form.fields } : { status: 200, ...form };
}

function send(outgoing: ServerResponse, { status, fields, body }: Answer): void {
  outgoing.writeHead(status, fields);
  outgoing.end(body);
}

/** Answers what is ready before a router, Request and Response are set up for it; the app answers everything else. */
export function createReadyListener(site: Site, app: RequestHandler): RequestHandler {
  return async (incoming, outgoing) => {
    const startedMs = performance.now();
    const found = findReady(site, incoming);
    const answer = found && answerTo(incoming, found.rendering);
    if (found === undefined || answer === undefined) return app(incoming, outgoing);
    if (found.limited) {
      const forwardedFor = incoming.headers['x-forwarded-for']?.toString();
      const network = clientNetwork({ forwardedFor, remote: incoming.socket.remoteAddress }, site.trustProxy);
      // The app refuses in its own words.
      if ((await site.searchLimiter.consume(network)) !== undefined) return app(incoming, outgoing);
    }
    send(outgoing, answer);
    site.metrics?.count(found.route, answer.status, performance.now() - startedMs);
  };
}
