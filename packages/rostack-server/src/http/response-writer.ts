import { PROTOCOL_VERSION } from 'rostack-core';
import type { Cors } from './cors.ts';
import type { Exchange, Reply } from './exchange.ts';

/** Adds the header fields that every answer has, and makes the response. */
export class ResponseWriter {
  readonly #cors: Cors;
  readonly #apiVersion: string;

  constructor(cors: Cors, apiVersion: string) {
    this.#cors = cors;
    this.#apiVersion = apiVersion;
  }

  write(exchange: Exchange, reply: Reply): Response {
    const isPreflight = exchange.method === 'OPTIONS' && reply.status === 204;
    const origin = exchange.c.req.header('origin');
    const headers: Record<string, string | readonly string[]> = {
      ...reply.headers,
      ...(isPreflight ? this.#cors.preflightHeadersFor(origin) : this.#cors.headersFor(origin)),
      'X-Request-Id': exchange.requestId,
      'X-Rostack-Protocol-Version': PROTOCOL_VERSION,
      'X-Rostack-API-Version': this.#apiVersion,
      'X-Content-Type-Options': 'nosniff',
    };
    if (this.#cors.variesByOrigin) headers.Vary = [...[headers.Vary ?? []].flat(), 'Origin'].join(', ');
    // A list becomes one field line each under @hono/node-server, and elsewhere the equivalent comma-separated line.
    return new Response(reply.body, { status: reply.status, headers: headers as Record<string, string> });
  }
}
