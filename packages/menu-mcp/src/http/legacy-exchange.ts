import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type McpServer,
} from '@modelcontextprotocol/server';
import { jsonRpcError, RPC } from './json-rpc-error.ts';
import { SharedConnection } from './shared-connection.ts';

const UTF_8 = new TextEncoder();

/** Answers one message; the headers go with the answer. */
export type LegacyExchange = (body: unknown, headers: Readonly<Record<string, string>>) => Promise<Response>;

/**
 * Serves the versions up to 2025-11-25 as plain JSON, with no session. One server answers all clients. Only a handshake
 * gets a server of its own, because the server remembers the version that was agreed on.
 */
export function createLegacyExchange(createServer: () => McpServer): LegacyExchange {
  const shared = SharedConnection.open(createServer());
  return async (body, headers) => {
    if (isJSONRPCRequest(body)) {
      const connection = body.method === 'initialize' ? SharedConnection.open(createServer()) : shared;
      const answer = JSON.stringify(await (await connection).ask(body));
      // Bytes and plain headers: HTTP servers write them as they are, with no pass over the Korean text for its length.
      return new Response(UTF_8.encode(answer), {
        headers: { 'content-type': 'application/json', ...headers },
      });
    }
    // Nothing is remembered between requests, so there is nothing that a notification could change.
    if (isJSONRPCNotification(body) || isJSONRPCResponse(body))
      return new Response(null, { status: 202, headers });
    return jsonRpcError(400, RPC.invalidRequest, 'Invalid request: send a JSON-RPC 2.0 message.', headers);
  };
}
