#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { HELP, parseCliOptions } from './cli/cli-options.ts';
import { openService } from './cli/open-service.ts';
import { menuMcpServerFactory } from './server/menu-mcp-server-factory.ts';

async function main(): Promise<void> {
  const options = parseCliOptions(process.argv.slice(2), process.env);
  if (options === 'help') return console.log(HELP);
  const service = await openService(options);
  // Standard output belongs to the protocol: everything else goes to standard error.
  const connection = serveStdio(menuMcpServerFactory(service), {
    onerror: (error) => console.error(`menu-mcp: ${error.message}`),
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
  console.error(`menu-mcp: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
