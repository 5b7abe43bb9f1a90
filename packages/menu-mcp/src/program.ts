import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMenuService, escapedOutput, openMenuStore, openOperators } from 'menu-client';
import { menuMcpServerFactory } from './server/menu-mcp-server-factory.ts';

const HELP = `menu-mcp: cafeteria menus for an MCP client over stdio

  --help   this text

Environment:
  WELSTORY_USERNAME, WELSTORY_PASSWORD  account of Samsung Welstory; Shinsegae Food needs none
  WELSTORY_DEVICE_ID                    the device that it is used from (default: one made from the user name)
  OPERATOR_TIMEOUT_MS                   of one request (default: 10000)
  OPERATOR_MAX_ANSWER_BYTES             of one answer (default: 2097152)
  PLANEAT_MAX_TREE_BYTES                of the list of restaurants (default: 16777216)
  WELSTORY_BASE_URL, PLANEAT_BASE_URL   other base URLs, for instance of menu-sandbox
  STORE_URL                             cache: memory: (default), sqlite:<file> or postgres://...
`;

/** Options of earlier versions, and the variables that replaced them. */
const RENAMED = {
  'planeat-url': 'PLANEAT_BASE_URL',
  'welstory-url': 'WELSTORY_BASE_URL',
  store: 'STORE_URL',
} as const;

/** Standard output is for the protocol: everything else goes to standard error. */
const stderr = escapedOutput(process.stderr);
const tell = (error: unknown): void =>
  void stderr.write(`menu-mcp: ${error instanceof Error ? error.message : String(error)}\n`);

async function main(): Promise<void> {
  const old = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { help: { type: 'boolean' }, 'planeat-url': old, 'welstory-url': old, store: old },
  });
  if (values.help === true) return console.log(HELP);
  for (const [option, variable] of Object.entries(RENAMED)) {
    if (option in values) throw new Error(`--${option} is now the environment variable ${variable}.`);
  }
  const service = createMenuService({
    operators: openOperators(process.env),
    store: await openMenuStore(process.env.STORE_URL ?? 'memory:'),
  });
  const connection = serveStdio(menuMcpServerFactory(service), {
    onerror: tell,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= connection.close().then(() => service[Symbol.asyncDispose]());
  };
  process.stdin.once('close', close);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close);
  return undefined;
}

try {
  await main();
} catch (error) {
  tell(error);
  process.exitCode = 1;
}
