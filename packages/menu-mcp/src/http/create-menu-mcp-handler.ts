import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  readRequestBody,
} from '@modelcontextprotocol/server';
import type { MenuService } from 'menu-client';
import { HANDSHAKE_VERSIONS, PROTOCOL_VERSIONS } from '../server/identity.ts';
import { type MenuMcpServerOptions, menuMcpServerFactory } from '../server/menu-mcp-server-factory.ts';
import { jsonRpcError, RPC } from './json-rpc-error.ts';
import { createLegacyExchange } from './legacy-exchange.ts';
import { corsHeaders, type Exposure, isHostAllowed, isOriginAllowed, preflight } from './origin-gate.ts';
import { withPresentParameters } from './present-members.ts';

/** What an HTTP endpoint serves, and to whom. */
export interface MenuMcpHandlerOptions extends MenuMcpServerOptions {
  /** Who may call: see {@link Exposure}. @default 'loopback' */
  readonly exposure?: Exposure;
  /** Host names that a public server is reached by, such as `menu.example.org`. @default any */
  readonly hosts?: readonly string[];
  /** Largest request body, bytes. @default 65_536 */
  readonly maxBodyBytes?: number;
}

/** An MCP endpoint for any fetch-style server: mount `fetch` at `/mcp` for all methods. */
export interface MenuMcpHandler {
  /** Bound to the handler, so it can be passed around on its own. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends the open sessions; later calls are answered with 503. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The SDK also reports mistakes of clients. They get an error as their answer, so there is nothing to log. */
function isRefusal(error: Error): boolean {
  return error instanceof ProtocolError || error.message.startsWith('Rejected inbound request');
}

/** The body as text; undefined when it is larger than `maxBytes`. */
async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const declared = request.headers.get('content-length');
  if (declared === null) {
    const read = await readRequestBody(request, maxBytes);
    return read.tooLarge ? undefined : read.text;
  }
  // The HTTP server enforces the declared length. Reading the body in one go is much faster than streaming it.
  return Number(declared) <= maxBytes ? request.text() : undefined;
}

/** Adds headers to a response. Creating it with its headers is faster: do that where you can. */
function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const isOneOf = (versions: readonly string[], version: string): boolean => versions.includes(version);

/** False for a version header that the message cannot have: a handshake of a version without one, or none that is served. */
function agrees(version: string, body: unknown): boolean {
  if (isOneOf(HANDSHAKE_VERSIONS, version)) return true;
  const { method, params } = Object(body) as { method?: unknown; params?: unknown };
  // A message with an envelope names its version itself, and the SDK compares the two.
  if (PROTOCOL_VERSION_META_KEY in Object(Object(params)['_meta'])) return true;
  return method !== 'initialize' && isOneOf(PROTOCOL_VERSIONS, version);
}

/** Clients choose another version from the answer. */
function refuseVersion(
  requested: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Response {
  const { id = null } = Object(body) as { id?: unknown };
  return jsonRpcError(
    400,
    RPC.unsupportedVersion,
    `This message cannot have the MCP-Protocol-Version ${requested.slice(0, 40)}. Send one of ${PROTOCOL_VERSIONS.join(', ')}; initialize has one of ${HANDSHAKE_VERSIONS.join(', ')}, or none.`,
    headers,
    {
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      data: { supported: [...PROTOCOL_VERSIONS], requested },
    },
  );
}

/**
 * MCP Streamable HTTP over a menu service: stateless, `POST` only, JSON answers, versions 2024-11-05 to 2026-07-28.
 * @throws MenuError `invalid_argument`
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export function createMenuMcpHandler(
  service: MenuService,
  options: MenuMcpHandlerOptions = {},
): MenuMcpHandler {
  const { exposure = 'loopback', maxBodyBytes = 65_536, onError = () => {} } = options;
  const createServer = menuMcpServerFactory(service, options);
  const answerLegacy = createLegacyExchange(createServer);
  const modern = createMcpHandler(createServer, {
    legacy: 'reject',
    onerror: (error) => {
      if (!isRefusal(error)) onError(error);
    },
    maxSubscriptions: 16,
    maxRequestBodySize: maxBodyBytes,
  });

  let closed = false;

  const answer = async (request: Request, cors: Record<string, string>): Promise<Response> => {
    if (closed) return jsonRpcError(503, RPC.internalError, 'The server is closing.', cors);
    if (request.method !== 'POST')
      return jsonRpcError(405, RPC.transport, 'Method not allowed: send POST.', {
        ...cors,
        allow: 'POST, OPTIONS',
      });
    if (!isJsonContentType(request.headers.get('content-type')))
      return jsonRpcError(415, RPC.transport, 'Send Content-Type: application/json.', cors);
    const text = await readBody(request, maxBodyBytes);
    if (text === undefined)
      return jsonRpcError(413, RPC.transport, `The body is larger than ${maxBodyBytes} bytes.`, cors);
    let body: unknown;
    try {
      body = withPresentParameters(JSON.parse(text));
    } catch {
      return jsonRpcError(400, RPC.parseError, 'Parse error: the body is not JSON.', cors);
    }
    if (Array.isArray(body))
      return jsonRpcError(
        400,
        RPC.invalidRequest,
        'Batches are not served: send one message per request.',
        cors,
      );
    const version = request.headers.get('mcp-protocol-version');
    if (version !== null && !agrees(version, body)) return refuseVersion(version, body, cors);
    return (await isLegacyRequest(request, body))
      ? answerLegacy(body, cors)
      : withHeaders(await modern.fetch(request, { parsedBody: body }), cors);
  };

  const fetch = async (request: Request): Promise<Response> => {
    const origin = request.headers.get('origin');
    if (
      !isHostAllowed(request.headers.get('host'), exposure, options.hosts) ||
      !isOriginAllowed(origin, exposure)
    )
      return jsonRpcError(403, RPC.transport, 'This host or origin may not call.');
    if (request.method === 'OPTIONS')
      return preflight(origin, request.headers.get('access-control-request-headers'));
    const cors = corsHeaders(origin);
    try {
      return await answer(request, cors);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      return jsonRpcError(500, RPC.internalError, 'Internal error', cors);
    }
  };
  const close = async () => {
    closed = true;
    await modern.close();
  };
  return { fetch, close, [Symbol.asyncDispose]: close };
}
