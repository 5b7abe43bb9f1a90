import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import { getRequestListener, type ServerType } from '@hono/node-server';
import { type ImplementationTypes, OptionsError } from 'rostack-core';
import { createRecognisingApp } from '../http/app.ts';
import { answerRefusal, faultOfRequest } from '../http/index.ts';
import { addressBehind, clientAddressBehind } from '../http/request/client-address.ts';
import { REFUSED, takeRequests } from '../http/request/node-requests.ts';
import { servedOptionsOf } from '../options/served-options.ts';
import {
  attachWebSocketGateway,
  type DrainOptions,
  type GatewayStatus,
  type WebSocketGateway,
} from '../websocket/index.ts';
import { type ServeOptions, serveOptionFaults } from './serve-options.ts';

/**
 * A Node server, what `serve` of `@hono/node-server` returns, or a framework's app that has a server, such as Fastify's. An HTTP/2 server
 * is refused.
 */
export type ServedBy = Server | SecureServer | ServerType | { readonly server: Server | SecureServer };

/** An implementation being served; `close` it before the server. */
export interface RostackService extends AsyncDisposable {
  /** Connections and subscriptions of the WebSocket gateway. */
  readonly status: GatewayStatus;
  /**
   * Asks followers to go away, serves them until the timeout, and leaves the server to its other listeners. It closes neither the server
   * nor the store nor the rate limiter. A second call waits for the first.
   */
  close(options?: DrainOptions): Promise<void>;
}

/**
 * Serves an implementation over HTTP and WebSocket on a Node server that may also have one app of any framework. Requests for the
 * implementation's paths are answered before the app sees them, and upgrades to its gateway before other listeners do; all other requests
 * are left to these.
 * @throws OptionsError `invalid_options`: an option is wrong, or `by` is not a server
 */
export function serveRostack<Types extends ImplementationTypes = ImplementationTypes>(
  by: ServedBy,
  options: ServeOptions<Types>,
): RostackService;
export function serveRostack(by: ServedBy, options: ServeOptions): RostackService {
  const server = serverOf(by);
  const faults = serveOptionFaults(options);
  if (faults.length > 0) throw new OptionsError(REFUSED, faults);
  const { basePath: _, trustedProxies = 0, websocket, ...shared } = options;
  const { app, recognises } = createRecognisingApp({
    ...shared,
    clientAddress: clientAddressBehind(trustedProxies),
  });
  const taken = takeRequests(server, recognises);
  let gateway: WebSocketGateway;
  try {
    gateway = attachWebSocketGateway(taken.inner, {
      ...websocket,
      ...servedOptionsOf(options),
      clientAddress: ({ socket, headers }) =>
        addressBehind(
          trustedProxies,
          socket.remoteAddress,
          [headers['x-forwarded-for'] ?? []].flat().join(),
        ) ?? '',
    });
  } catch (error) {
    taken[Symbol.dispose]();
    throw error;
  }
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  taken.inner.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = faultOfRequest(request);
    if (refusal === undefined) void answer(request, response);
    else answerRefusal(response, refusal);
  });
  let closing: Promise<void> | undefined;
  const close = async (drain?: DrainOptions): Promise<void> => {
    closing ??= gateway.close(drain).then(() => taken[Symbol.dispose]());
    return closing;
  };
  return {
    get status() {
      return gateway.status;
    },
    close,
    [Symbol.asyncDispose]: () => close({ drainTimeoutMs: 0 }),
  };
}

/** @throws OptionsError `invalid_options`, saying what to pass for a framework's app */
function serverOf(by: ServedBy): Server | SecureServer {
  const server: unknown = isServer(by) ? by : Object(by).server;
  if (isServer(server)) return server;
  throw new OptionsError(REFUSED, [
    'Pass a server of node:http or node:https: what app.listen() of Express, serve() of @hono/node-server or createServer(app) returns, or an app of Fastify.',
  ]);
}

const isServer = (value: unknown): value is Server | SecureServer =>
  value instanceof Server || value instanceof SecureServer;
