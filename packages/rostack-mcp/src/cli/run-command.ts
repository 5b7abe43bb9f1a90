import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { connect, readSchemas } from 'rostack-client';
import { escapedOutput, parseTrustedJson } from 'rostack-core';
import { createRostackMcp } from '../create-rostack-mcp.ts';
import { readRecordIds } from '../record/record-id-option.ts';
import { serveHttp } from './serve-http.ts';

/** The process that the command runs in. */
export interface CommandIo {
  /** How the command is called, for its help and its messages. Default: `rostack-mcp`. */
  readonly name?: string;
  /** `ROSTACK_TOKEN` is read from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Messages of the MCP client; its end ends the command. */
  readonly stdin: Readable;
  /** Messages for the MCP client, help and version. */
  readonly stdout: Writable;
  /** Messages for people. */
  readonly stderr: Writable;
  /** Ends the command when it is aborted. */
  readonly stop: AbortSignal;
}

const helpOf = (name: string): string => `Usage: ${name} <url> [options]

Serves the data of a rostack_v1 server to an MCP client, read-only: over stdio, or over Streamable HTTP.

Arguments:
  url                    its origin: https, or http on this computer

Options:
  --http <port>          serve http://127.0.0.1:<port>/mcp instead of stdio
  --auth <method>        what the token is: shared_token (default) or oauth2
  --max-count <number>   records or events of one answer at most (default: 100)
  --max-bytes <number>   bytes of them at most (default: 65536)
  --record-id <pointer>  where the id of a record is, such as /deviceId, or things=/deviceId for one
                         resource; needed only where the server does not show it
  -V, --version          print the version
  -h, --help             print help

Environment:
  ROSTACK_TOKEN          the token; everybody who can reach this MCP server reads with its rights
  NODE_EXTRA_CA_CERTS    PEM file of an authority to trust

Exit codes: 0 ok, 1 failed, 2 wrong usage.
`;

/** Wrong usage; the message says what to write. */
class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly code = 'usage';
  readonly retryable = false;
}

async function readArguments(argv: readonly string[], name: string) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      auth: { type: 'string', default: 'shared_token' },
      http: { type: 'string' },
      'max-bytes': { type: 'string', default: '65536' },
      'max-count': { type: 'string', default: '100' },
      'record-id': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
      version: { type: 'boolean', short: 'V', default: false },
    },
  });
  if (values.help) return helpOf(name);
  if (values.version) {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    return `${(parseTrustedJson(manifest) as { readonly version: string }).version}\n`;
  }
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

async function serve(argv: readonly string[], io: CommandIo): Promise<void> {
  const { name = 'rostack-mcp', environment, stdin, stdout, stop } = io;
  const given = await readArguments(argv, name);
  if (typeof given === 'string') {
    stdout.write(given);
    return;
  }
  // Standard output belongs to the protocol: everything else goes to standard error.
  const tell = (error: unknown): void =>
    void io.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  const { url, method, limits, recordId, port } = given;
  const token = environment['ROSTACK_TOKEN'] ?? '';
  if (token === '') throw new ArgumentError('put a token into the environment variable ROSTACK_TOKEN');
  await using stack = new AsyncDisposableStack();
  const options = { allowInsecureLoopback: true, signal: stop };
  const client = stack.use(await connect(url, { method, token }, options));
  const isInsecure = url.startsWith('http:');
  const schemas = await readSchemas(client.discovery, { allowInsecureLoopback: isInsecure, signal: stop });
  const mcp = stack.use(createRostackMcp(client, { schemas, limits, recordId, onError: tell }));
  const ended: Promise<unknown>[] = [stop.aborted ? Promise.resolve() : once(stop, 'abort')];
  if (port === undefined) {
    const transport = new StdioServerTransport(stdin, stdout);
    const connection = serveStdio(mcp.createServer, { transport, onerror: tell });
    stack.defer(() => connection.close());
    ended.push(once(stdin, 'close'));
  } else {
    const served = stack.use(await serveHttp(mcp, port));
    tell(served.url);
  }
  await Promise.race(ended);
}

/**
 * Runs the command: serves a rostack_v1 server to an MCP client until it is stopped or standard input ends. It never ends the process.
 * @param argv without the names of the program
 * @returns the exit code: 0 ok, 1 failed, 2 wrong usage
 */
export async function runMcpCommand(argv: readonly string[], process: CommandIo): Promise<number> {
  const io = { ...process, stderr: escapedOutput(process.stderr) };
  try {
    await serve(argv, io);
    return 0;
  } catch (error) {
    io.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    const { code } = error as { readonly code?: unknown };
    const isUsage =
      code === 'usage' || code === 'invalid_options' || String(code).startsWith('ERR_PARSE_ARGS');
    if (isUsage) io.stderr.write('(add --help for the usage)\n');
    return isUsage ? 2 : 1;
  }
}
