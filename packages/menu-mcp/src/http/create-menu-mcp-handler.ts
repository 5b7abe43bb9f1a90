import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
} from '@modelcontextprotocol/server';
import type { MenuService } from 'menu-client';
import { createMenuMcpServer, type MenuMcpServerOptions } from '../server/create-menu-mcp-server.ts';
import { corsHeaders, preflight } from './cors.ts';
import { jsonRpcError, RPC } from './json-rpc-error.ts';
import { serveLegacy } from './legacy-exchange.ts';
import { type Exposure, isHostAllowed, isOriginAllowed } from './origin-gate.ts';

export interface MenuMcpHandlerOptions extends MenuMcpServerOptions {
  /** Who may call: see {@link Exposure}. @default 'loopback' */
  readonly exposure?: Exposure;
  /** Largest request body, bytes. @default 65_536 */
  readonly maxBodyBytes?: number;
  /** Told of faults of this program and of refused requests; never alters an answer. */
  readonly onError?: (error: Error) => void;
}

/** An MCP endpoint for any fetch-style server: mount `fetch` at `/mcp` for all methods. */
export interface MenuMcpHandler {
  /** Bound: it can be passed around. */
  readonly fetch: (request: Request) => Promise<Response>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * MCP Streamable HTTP over a menu service: stateless, `POST` only, JSON answers, versions 2024-11-05 to 2026-07-28.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export function createMenuMcpHandler(
  service: MenuService,
  options: MenuMcpHandlerOptions = {},
): MenuMcpHandler {
  const { exposure = 'loopback', maxBodyBytes = 65_536, onError = () => {} } = options;
  const createServer = () => createMenuMcpServer(service, options);
  const modern = createMcpHandler(createServer, {
    legacy: 'reject',
    onerror: onError,
    maxSubscriptions: 16,
    maxRequestBodySize: maxBodyBytes,
  });

  const answer = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST')
      return jsonRpcError(405, RPC.transport, 'Method not allowed: send POST.', { allow: 'POST, OPTIONS' });
    if (!isJsonContentType(request.headers.get('content-type')))
      return jsonRpcError(415, RPC.transport, 'Send Content-Type: application/json.');
    const read = await readRequestBody(request, maxBodyBytes);
    if (read.tooLarge)
      return jsonRpcError(413, RPC.transport, `The body is larger than ${maxBodyBytes} bytes.`);
    let body: unknown;
    try {
      body = JSON.parse(read.text);
    } catch {
      return jsonRpcError(400, RPC.parseError, 'Parse error: the body is not JSON.');
    }
    if (Array.isArray(body))
      return jsonRpcError(400, RPC.invalidRequest, 'Batches are not served: send one message per request.');
    return (await isLegacyRequest(request, body))
      ? serveLegacy(createServer(), request, body)
      : modern.fetch(request, { parsedBody: body });
  };

  const fetch = async (request: Request): Promise<Response> => {
    const origin = request.headers.get('origin');
    if (!isHostAllowed(request.headers.get('host'), exposure) || !isOriginAllowed(origin, exposure))
      return jsonRpcError(403, RPC.transport, 'This host or origin may not call.');
    if (request.method === 'OPTIONS') return preflight(origin);
    const response = await answer(request).catch((error: unknown) => {
      onError(error instanceof Error ? error : new Error(String(error)));
      return jsonRpcError(500, RPC.internalError, 'Internal error');
    });
    for (const [name, value] of Object.entries(corsHeaders(origin))) response.headers.set(name, value);
    return response;
  };
  const close = () => modern.close();
  return { fetch, close, [Symbol.asyncDispose]: close };
}
