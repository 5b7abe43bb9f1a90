import {
  isJSONRPCRequest,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { withHeaders } from './cors.ts';
import { encodeMessage } from './encode-message.ts';
import { jsonRpcError, RPC } from './json-rpc-error.ts';
import { SharedTransport } from './shared-transport.ts';

/** Requests that neither read nor change anything that a server knows of its client. */
const STATELESS: ReadonlySet<string> = new Set([
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'prompts/get',
  'prompts/list',
  'completion/complete',
  'ping',
]);

/** Serves requests of the versions up to 2025-11-25 as plain JSON, with no session. */
export interface LegacyExchange {
  answer(request: Request, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Stateless requests share one server; the others (`initialize`, notifications, malformed messages) get one of their
 * own, with the SDK's transport, for as long as they last.
 */
export function createLegacyExchange(createServer: () => McpServer): LegacyExchange {
  const transport = new SharedTransport();
  const shared = createServer();
  const connected = shared.connect(transport);

  const single = async (request: Request, parsedBody: unknown): Promise<Response> => {
    const server = createServer();
    const own = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(own);
    try {
      return await own.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  };

  return {
    async answer(request, body, headers) {
      const version = request.headers.get('mcp-protocol-version');
      if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
        return jsonRpcError(
          400,
          RPC.transport,
          `Unsupported MCP-Protocol-Version. Send one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
          headers,
        );
      if (!isJSONRPCRequest(body) || !STATELESS.has(body.method))
        return withHeaders(await single(request, body), headers);
      await connected;
      const message = await transport.exchange(body);
      return message === undefined
        ? jsonRpcError(503, RPC.internalError, 'The server is closing.', headers)
        : new Response(encodeMessage(message), {
            headers: { ...headers, 'content-type': 'application/json' },
          });
    },
    close: () => shared.close(),
  };
}
