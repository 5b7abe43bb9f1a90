import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** Answers one request of a version up to 2025-11-25 as plain JSON, with no session. */
export async function serveLegacy(
  server: McpServer,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
