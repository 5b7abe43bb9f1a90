import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { connect, readSchemas } from 'rostack-client';
import { escapedOutput } from 'rostack-core';
import { createRostackMcp, type RostackMcp } from '../create-rostack-mcp.ts';
import { readRecordIds } from '../record/record-id-option.ts';

const HELP = `rostack-mcp: the data of a rostack_v1 server for an MCP client, read-only

  rostack-mcp <url>                  over stdio
  rostack-mcp <url> --http <port>    over Streamable HTTP at http://127.0.0.1:<port>/mcp

  --auth <method>       what the token is: shared_token (default) or oauth2
  --max-count <number>  records or events of one answer at most (default: 100)
  --max-bytes <number>  bytes of them at most (default: 65536)
  --record-id <pointer> where the id of a record is, such as /deviceId, or things=/deviceId for one resource;
                        needed only where the server does not show it
  --help                this text

Environment:
  ROSTACK_TOKEN         the token; everybody who can reach this MCP server reads with its rights
  NODE_EXTRA_CA_CERTS   PEM file of an authority to trust
`;

/** Wrong usage; the message says what to write. */
class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly code = 'usage';
  readonly retryable = false;
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      auth: { type: 'string', default: 'shared_token' },
      http: { type: 'string' },
      'max-bytes': { type: 'string', default: '65536' },
      'max-count': { type: 'string', default: '100' },
      'record-id': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0)
    throw new ArgumentError('pass one URL, such as https://data.example.com');
  const { auth } = values;
  if (auth !== 'shared_token' && auth !== 'oauth2')
    throw new ArgumentError('--auth must be shared_token or oauth2');
  const limits = {
    maxBytes: anInteger('--max-bytes', values['max-bytes'], 1_024),
    maxCount: anInteger('--max-count', values['max-count'], 1),
  };
  const recordId = readRecordIds(values['record-id']);
  if (recordId === undefined)
    throw new ArgumentError(
      '--record-id must be a JSON Pointer such as /deviceId, or things=/deviceId for one resource',
    );
  const port = values.http === undefined ? undefined : anInteger('--http', values.http, 0);
  const method: 'shared_token' | 'oauth2' = auth;
  return { url, method, limits, recordId, port };
}

function anInteger(option: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new ArgumentError(`${option} must be an integer from ${least}`);
}

/** Standard output belongs to the protocol: everything else goes to standard error. */
const stderr = escapedOutput(process.stderr);
const tell = (error: unknown): void =>
  void stderr.write(`rostack-mcp: ${error instanceof Error ? error.message : String(error)}\n`);

async function main(): Promise<void> {
  const given = readArguments();
  if (given === undefined) return console.log(HELP);
  const { url, method, limits, recordId, port } = given;
  const token = process.env['ROSTACK_TOKEN'] ?? '';
  if (token === '') throw new ArgumentError('put a token into the environment variable ROSTACK_TOKEN');
  const stack = new AsyncDisposableStack();
  const client = stack.use(await connect(url, { method, token }, { allowInsecureLoopback: true }));
  const schemas = await readSchemas(client.discovery, { allowInsecureLoopback: url.startsWith('http:') });
  const mcp = stack.use(createRostackMcp(client, { schemas, limits, recordId, onError: tell }));
  if (port === undefined) {
    const connection = serveStdio(mcp.createServer, { onerror: tell });
    stack.defer(() => connection.close());
    process.stdin.once('close', () => void stack.disposeAsync());
  } else {
    stack.use(await serveHttp(mcp, port));
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stack.disposeAsync());
  return undefined;
}

/** Answers only this computer: a foreign name that resolves to loopback, and foreign pages, are refused (DNS rebinding). */
async function serveHttp(mcp: RostackMcp, port: number): Promise<AsyncDisposable> {
  const hosts = new Set<string>();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request: Request) => {
      const origin = request.headers.get('origin');
      const isOwn =
        hosts.has(request.headers.get('host') ?? '') &&
        (origin === null || hosts.has(URL.parse(origin)?.host ?? ''));
      if (!isOwn) return new Response('This host or origin may not call.', { status: 403 });
      if (new URL(request.url).pathname !== '/mcp') return new Response('MCP is at /mcp.', { status: 404 });
      return mcp.fetch(request);
    },
  }) as Server;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  hosts.add(`127.0.0.1:${bound}`).add(`localhost:${bound}`);
  console.error(`rostack-mcp: http://127.0.0.1:${bound}/mcp`);
  return {
    async [Symbol.asyncDispose]() {
      const isClosed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await isClosed;
    },
  };
}

try {
  await main();
} catch (error) {
  tell(error);
  const { code } = error as { readonly code?: unknown };
  process.exitCode =
    code === 'usage' || code === 'invalid_options' || String(code).startsWith('ERR_PARSE_ARGS') ? 2 : 1;
}
