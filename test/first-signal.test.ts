import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtProgram } from '../tools/test-support/src/built-program.ts';

const ROSTACK = 'packages/rostack-cli/dist/main.js';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** No command gives up earlier by itself. */
const SHORTEST_WAIT_MS = 9_000;

/** Commands that ask a server and wait for its answer. */
const COMMANDS: readonly (readonly [command: string, program: string, (url: string) => readonly string[]])[] =
  [
    ['rostack list', ROSTACK, (url) => ['list', url, 'stations']],
    ['rostack get', ROSTACK, (url) => ['get', url, 'stations', 'a']],
    ['rostack follow', ROSTACK, (url) => ['follow', url, 'stations']],
    ['rostack doctor', ROSTACK, (url) => ['doctor', url]],
    ['rostack openapi', ROSTACK, (url) => ['openapi', url]],
    ['rostack explore', ROSTACK, (url) => ['explore', url]],
    ['rostack mcp', ROSTACK, (url) => ['mcp', url]],
    ['rostack conformance', ROSTACK, (url) => ['conformance', url]],
    ['rostack-gateway diff', 'apps/rostack-gateway/dist/cli/main.js', (url) => ['diff', url, url]],
    ['rostack-explorer', 'packages/rostack-explorer/dist/cli/main.js', (url) => [url]],
    ['rostack-mcp', 'packages/rostack-mcp/dist/cli/cli.js', (url) => [url]],
    ['rostack-conformance', 'packages/rostack-conformance/dist/cli/cli.js', (url) => [url]],
  ];

test.each(COMMANDS)('the first signal ends %s, whatever it waits for', async (_command, program, argv) => {
  // A server that takes requests and never answers; the commands themselves would wait for 10 s or more.
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [builtProgram(program), ...argv(url)], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ROSTACK_TOKEN: 'x'.repeat(43) },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  try {
    await Promise.race([asked, ended]);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    const sentMs = performance.now();
    await ended;
    // Because of the signal, not because it has waited for long enough.
    expect(performance.now() - sentMs).toBeLessThan(SHORTEST_WAIT_MS);
  } finally {
    child.kill('SIGKILL');
    server.closeAllConnections();
  }
});
