/** A JSON-RPC error as a whole HTTP response. @see MCP Streamable HTTP transport */
export function jsonRpcError(
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  /** The id of the request, and what programs read. @default no id, and nothing */
  { id = null, data }: { readonly id?: unknown; readonly data?: object } = {},
): Response {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, error }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** JSON-RPC 2.0 codes, and two of MCP: for transport errors, and for a version that is not served. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  internalError: -32_603,
  transport: -32_000,
  unsupportedVersion: -32_022,
} as const;
