/** A JSON-RPC error as a whole HTTP response. @see MCP Streamable HTTP transport */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** JSON-RPC 2.0 codes, and one from the range reserved for servers, for transport errors. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  internalError: -32_603,
  transport: -32_000,
} as const;
