/** What the tests need from a client of either SDK. */
export interface AnyClient {
  readonly protocolVersion: string | undefined;
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string; name: string }[] }>;
  readResource(request: { uri: string }): Promise<{ contents: unknown[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(request: { name: string; arguments?: Record<string, string> }): Promise<{ messages: unknown[] }>;
  complete(request: Completion): Promise<{ completion: { values: string[] } }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ListedTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: object;
  outputSchema?: object | undefined;
  annotations?: object | undefined;
}

interface Completion {
  ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };
  context?: { arguments?: Record<string, string> };
  argument: { name: string; value: string };
}

/** Where a client connects to: an HTTP endpoint or a command over stdio. */
export type Target =
  | { readonly url: URL }
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };

const INFO = { name: 'test-client', version: '1.0.0' };

async function connectFirst(target: Target): Promise<AnyClient> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client(INFO);
  if ('url' in target) {
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    const transport = new StreamableHTTPClientTransport(target.url);
    await client.connect(transport);
    return adapt(client, transport.protocolVersion);
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  let version: string | undefined;
  const transport = Object.assign(new StdioClientTransport({ ...target, stderr: 'inherit' }), {
    setProtocolVersion: (negotiated: string) => {
      version = negotiated;
    },
  });
  await client.connect(transport);
  return adapt(client, version);
}

async function connectSecond(target: Target, mode: 'legacy' | 'auto'): Promise<AnyClient> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client(INFO, { versionNegotiation: { mode } });
  if ('url' in target) {
    await client.connect(new StreamableHTTPClientTransport(target.url));
  } else {
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    await client.connect(new StdioClientTransport({ ...target, stderr: 'inherit' }));
  }
  return adapt(client, client.getNegotiatedProtocolVersion());
}

function adapt(
  client: Omit<AnyClient, 'protocolVersion' | typeof Symbol.asyncDispose> & { close(): Promise<void> },
  protocolVersion: string | undefined,
): AnyClient {
  return {
    protocolVersion,
    listTools: () => client.listTools(),
    callTool: (call) => client.callTool(call),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (request) => client.readResource(request),
    listPrompts: () => client.listPrompts(),
    getPrompt: (request) => client.getPrompt(request),
    complete: (request) => client.complete(request),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The official clients, by SDK and protocol versions. */
export const CLIENTS = {
  'SDK 1.x': connectFirst,
  'SDK 2.x with the versions up to 2025-11-25': (target: Target) => connectSecond(target, 'legacy'),
  'SDK 2.x with 2026-07-28': (target: Target) => connectSecond(target, 'auto'),
} as const;
