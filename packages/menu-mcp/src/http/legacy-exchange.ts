import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { HANDSHAKE_VERSIONS, PROTOCOL_VERSIONS } from '../server/protocol-versions.ts';
import type { BoundTool } from '../tools/bind-tools.ts';
import { withHeaders } from './cors.ts';
import { encodeResult } from './encode-result.ts';
import { jsonRpcError, RPC } from './json-rpc-error.ts';
import { parseToolCall } from './tool-call.ts';

export interface LegacyExchangeOptions {
  readonly createServer: () => McpServer;
  readonly tools: readonly BoundTool[];
}

/** Answers one message; the headers go with the answer. */
export type LegacyExchange = (
  request: Request,
  body: unknown,
  headers: Readonly<Record<string, string>>,
) => Promise<Response>;

/**
 * Serves the versions up to 2025-11-25 as plain JSON, with no session. A good call of a tool, which is nearly all that
 * ever comes, is answered here; every other message gets a server of its own, with the SDK's transport.
 */
export function createLegacyExchange({ createServer, tools }: LegacyExchangeOptions): LegacyExchange {
  return async (request, body, headers) => {
    const version = request.headers.get('mcp-protocol-version');
    if (version !== null && !HANDSHAKE_VERSIONS.some((known) => known === version))
      return jsonRpcError(
        400,
        RPC.transport,
        `Unsupported MCP-Protocol-Version. Send one of ${PROTOCOL_VERSIONS.join(', ')}.`,
        headers,
      );
    const call = parseToolCall(body, tools);
    if (call !== undefined)
      return new Response(encodeResult(call.id, await call.tool.call(call.input)), {
        headers: { ...headers, 'content-type': 'application/json' },
      });
    const server = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return withHeaders(await transport.handleRequest(request, { parsedBody: body }), headers);
    } finally {
      await server.close();
    }
  };
}
