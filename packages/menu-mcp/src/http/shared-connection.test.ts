import { type JSONRPCRequest, McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SharedConnection } from './shared-connection.ts';

const request = (id: number | string, method: string, params: object = {}): JSONRPCRequest => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params },
});

/** A server with one tool, whose calls wait until they are let through. */
async function openConnection() {
  const server = new McpServer({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } });
  const gate = Promise.withResolvers<void>();
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => {
    await gate.promise;
    return { content: [{ type: 'text', text }] };
  });
  return { connection: await SharedConnection.open(server), letThrough: gate.resolve };
}

const call = (id: number | string, text: unknown): JSONRPCRequest =>
  request(id, 'tools/call', { name: 'echo', arguments: { text } });

test('clients that chose the same id get their own answers', async () => {
  const { connection, letThrough } = await openConnection();
  const asked = ['first', 'second'].map((text) => connection.ask(call('same', text)));
  expect(connection.waitingCount).toBe(2);
  letThrough();
  expect(await Promise.all(asked)).toMatchObject([
    { id: 'same', result: { content: [{ text: 'first' }] } },
    { id: 'same', result: { content: [{ text: 'second' }] } },
  ]);
});

test('nothing waits any more once it was answered, with a result or an error', async () => {
  const { connection, letThrough } = await openConnection();
  letThrough();
  const answers = await Promise.all([
    connection.ask(call(1, 'text')),
    connection.ask(call(2, {})),
    connection.ask(request(3, 'ping')),
    connection.ask(request(4, 'no/such/method')),
  ]);
  expect(answers.map((answer) => ('error' in answer ? 'error' : 'result'))).toContain('error');
  expect(answers.map((answer) => ('error' in answer ? 'error' : 'result'))).toContain('result');
  expect(connection.waitingCount).toBe(0);
});

test('a message that is no answer of the server goes nowhere, and an answer that nobody waits for neither', async () => {
  const { connection } = await openConnection();
  await connection.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  await connection.send({ jsonrpc: '2.0', id: 99, result: {} });
  expect(connection.waitingCount).toBe(0);
});
