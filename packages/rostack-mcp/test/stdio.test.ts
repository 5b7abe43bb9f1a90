import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client as SecondClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ServedGateway, serveGateway } from './support/served-gateway.ts';

const CLI = fileURLToPath(new URL('../src/cli/cli.ts', import.meta.url));
const INFO = { name: 'test-client', version: '1.0.0' };

let served: ServedGateway;
let client: Client;
const updated: string[] = [];

const command = (...more: string[]) => ({
  command: process.execPath,
  args: ['--conditions=workspace-source', CLI, served.gateway.url, ...more],
  env: served.environment,
  stderr: 'inherit' as const,
});

beforeAll(async () => {
  served = await serveGateway();
  await served.put(
    ...Array.from({ length: 150 }, (_, height) => ({ id: `s${height}`, height, name: 'x'.repeat(height) })),
  );
  client = new Client(INFO);
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  await client.connect(new StdioClientTransport(command('--max-bytes', '4096')));
}, 60_000);
afterAll(async () => {
  await client.close();
  await served[Symbol.asyncDispose]();
});

const call = async (name: string, input: Record<string, unknown> = {}) => {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return {
    isError: isError === true,
    value: structuredContent as Record<string, unknown> | undefined,
    text: first?.text ?? '',
  };
};

test('tools are made from discovery, and read only', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_stations',
    'get_stations',
    'changes_stations',
    'list_field_notes',
    'get_field_notes',
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  const [list, , , notes] = tools;
  expect(list?.description).toContain('records of stations (Weather stations)');
  expect(list?.inputSchema).toMatchObject({
    properties: { sort: { items: { enum: ['/height', '-/height'] } }, filter: { $ref: '#/$defs/filter' } },
    $defs: {
      filter: {
        properties: { '/height': { properties: { gte: { type: 'number' }, lt: { type: 'number' } } } },
      },
    },
  });
  expect(notes?.inputSchema.properties).not.toHaveProperty('filter');
});

test('list filters and sorts, and says when it is cut', async () => {
  const few = await call('list_stations', {
    filter: { '/height': { gte: 147 } },
    sort: ['-/height'],
    fields: ['/id'],
  });
  expect(few.value).toMatchObject({ items: [{ id: 's149' }, { id: 's148' }, { id: 's147' }] });
  expect(few.value).not.toHaveProperty('more');
  const counted = await call('list_stations', { limit: 2, fields: ['/id'] });
  expect(counted.value).toMatchObject({
    items: [{ id: 's0' }, { id: 's1' }],
    more: true,
    hint: expect.stringContaining('raise limit'),
  });
  const large = await call('list_stations', { sort: ['-/height'] });
  expect(large.value).toMatchObject({ more: true, hint: expect.stringContaining('choose fields') });
  expect(Buffer.byteLength(JSON.stringify(large.value?.items))).toBeLessThan(4_096 + 200);
});

test('get finds a record, or says that there is none', async () => {
  expect((await call('get_stations', { id: 's1' })).value).toEqual({
    record: { id: 's1', height: 1, name: 'x' },
  });
  expect(await call('get_stations', { id: 'no' })).toMatchObject({
    isError: true,
    text: 'there is no no in stations, or it may not be seen',
  });
});

test('changes come since a cursor', async () => {
  const { cursor } = (await call('changes_stations')).value ?? {};
  await served.put({ id: 's1', height: 1_000 }, { id: 'new', height: 5 });
  const { value } = await call('changes_stations', { cursor });
  expect(value?.changes).toMatchObject([
    { id: 's1', transition: 'update', data: { height: 1_000 } },
    { id: 'new', transition: 'create' },
  ]);
  expect((await call('changes_stations', { cursor: value?.cursor })).value?.changes).toEqual([]);
  const first = await call('changes_stations', { cursor, limit: 1 });
  expect(first.value).toMatchObject({ changes: [{ id: 's1' }], more: true });
  const second = await call('changes_stations', { cursor: first.value?.['cursor'], limit: 1 });
  expect(second.value?.['changes']).toMatchObject([{ id: 'new' }]);
  expect(await call('changes_stations', { cursor: 'nonsense' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('list again, and go on from its cursor'),
  });
});

test('what the token may not read, and what the filter may not ask, is said', async () => {
  expect(await call('list_field_notes')).toMatchObject({
    isError: true,
    text: expect.stringContaining('permission-denied'),
  });
  const wrong = await call('list_stations', { filter: { '/height': { eq: 'tall' } } });
  expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining('data/filter/~1height')]);
});

test('records are resources', async () => {
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    'rostack://observatory/stations',
    'rostack://observatory/field-notes',
  ]);
  const { contents } = await client.readResource({ uri: 'rostack://observatory/stations/s2' });
  expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: 's2', height: 2 });
  await expect(client.readResource({ uri: 'rostack://observatory/stations/none' })).rejects.toThrow(
    'Resource not found',
  );
});

test('a subscription tells of changes of its URI, until it ends', async () => {
  const uri = 'rostack://observatory/stations/s3';
  await client.subscribeResource({ uri });
  let height = 0;
  await vi.waitFor(
    async () => {
      height += 1;
      await served.put({ id: 's3', height }, { id: 's4', height });
      expect(updated).toContain(uri);
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(new Set(updated)).toEqual(new Set([uri]));
  await client.unsubscribeResource({ uri });
  const other = 'rostack://observatory/stations/s4';
  await client.subscribeResource({ uri: other });
  updated.length = 0;
  // What is told comes in the order of the changes.
  await vi.waitFor(
    async () => {
      height += 1;
      await served.put({ id: 's3', height }, { id: 's4', height });
      expect(updated).toContain(other);
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(new Set(updated)).toEqual(new Set([other]));
  await client.unsubscribeResource({ uri: other });
  await expect(client.subscribeResource({ uri: 'rostack://observatory/boats' })).rejects.toThrow(
    'Resource not found',
  );
});

test('the newest protocol is spoken too', async () => {
  const second = new SecondClient(INFO, { versionNegotiation: { mode: 'auto' } });
  await second.connect(new SecondTransport(command()));
  expect(second.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  const { structuredContent } = await second.callTool({ name: 'get_stations', arguments: { id: 's5' } });
  expect(structuredContent).toMatchObject({ record: { id: 's5' } });
  await second.close();
});

test('the version is that of the package', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(client.getServerVersion()).toMatchObject({
    name: 'rostack-mcp',
    title: 'Observatory',
    version: manifest.version,
  });
});

test('a record that is larger than an answer may be is refused everywhere, and changes go on behind it', async () => {
  const { cursor } = (await call('changes_stations')).value ?? {};
  await served.put({ id: 'huge', height: 2_000, name: 'x'.repeat(900_000) }, { id: 'next', height: 2_001 });
  const largest = 4_096 + 8_192;
  const refused = await call('get_stations', { id: 'huge' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('choose fields') });
  await expect(client.readResource({ uri: 'rostack://observatory/stations/huge' })).rejects.toThrow(
    'choose fields',
  );
  const { items } =
    (await call('list_stations', { filter: { '/height': { gte: 2_000 } }, fields: ['/id'] })).value ?? {};
  expect(items).toEqual([{ id: 'huge' }, { id: 'next' }]);
  const { value, text } = await call('changes_stations', { cursor });
  expect(text.length).toBeLessThan(largest);
  expect(value?.changes).toMatchObject([
    { id: 'huge', dataLeftOut: expect.stringContaining('too large') },
    { id: 'next' },
  ]);
  expect(value).not.toHaveProperty('more');
});
