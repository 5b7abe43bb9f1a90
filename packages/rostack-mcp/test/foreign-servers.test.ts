import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connect, readSchemas } from 'rostack-client';
import { ForeignServer } from 'test-support/foreign/foreign-server';
import type { ForeignStyle, JsonRecord } from 'test-support/foreign/foreign-style';
import { goStyle } from 'test-support/foreign/go-style';
import { ledgerStyle } from 'test-support/foreign/ledger-style';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRostackMcp } from '../src/create-rostack-mcp.ts';
import { RecordWatch } from '../src/record/record-watch.ts';

async function open(style: ForeignStyle) {
  const server = await ForeignServer.start(style);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const [token] = server.tokens;
  const rostack = await connect(
    server.url,
    { method: 'shared_token', token },
    { allowInsecureLoopback: true },
  );
  onTestFinished(() => rostack.close());
  const schemas = await readSchemas(rostack.discovery, { allowInsecureLoopback: true });
  const errors: unknown[] = [];
  const mcp = createRostackMcp(rostack, { schemas, onError: (error) => void errors.push(error) });
  onTestFinished(() => mcp.close());
  const client = new Client(
    { name: 'test-client', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const fetch = (url: string | URL, init?: RequestInit) => mcp.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: input });
    expect([isError ?? false, JSON.stringify(content)]).toEqual([false, expect.any(String)]);
    return structuredContent as { readonly [member: string]: never };
  };
  return { server, rostack, client, call, errors };
}

interface Case {
  readonly style: ForeignStyle;
  readonly resource: string;
  readonly first: string | number;
  readonly added: JsonRecord;
  readonly id: string;
}

const CASES: readonly Case[] = [
  {
    style: goStyle,
    resource: 'health-steps',
    first: 'ring/3',
    added: { deviceId: 'new', kind: 'a', recordedAt: '2026-08-14T10:00:00Z', value: [null] },
    id: 'new',
  },
  {
    style: goStyle,
    resource: 'sms-messages',
    first: 'sms 3',
    added: { deviceId: 'new', kind: 'a', recordedAt: '2026-08-14T10:00:00Z', value: null },
    id: 'new',
  },
  { style: ledgerStyle, resource: 'books', first: 3, added: { id: 77, title: 'x', tags: [] }, id: '77' },
  {
    style: ledgerStyle,
    resource: 'entries',
    first: 1_003,
    added: { number: 5, page: 1, amount: null },
    id: '5',
  },
];

test.for(CASES)('$resource of $style.name: tools list, get and tell changes', async (one) => {
  const { server, client, call, errors } = await open(one.style);
  const name = one.resource.replaceAll('-', '_');
  const records = server.records(one.resource);
  const listed = await call(`list_${name}`, { limit: 100 });
  expect(listed.items).toEqual(records.slice(0, 100));
  const few = await call(`list_${name}`, { limit: 2 });
  expect(few).toMatchObject({ items: records.slice(0, 2), more: true });
  expect((await call(`get_${name}`, { id: one.first })).record).toMatchObject({});
  server.put(one.resource, one.added);
  server.delete(one.resource, one.id);
  expect((await call(`changes_${name}`, { cursor: listed.cursor })).changes).toMatchObject([
    { id: one.id, transition: 'create' },
    { id: one.id, transition: 'delete' },
  ]);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(one.style.resources.length * 3);
  expect(errors).toEqual([]);
});

test('a list of strings is filtered by what it contains', async () => {
  const { server, call } = await open(ledgerStyle);
  const filter = { '/tags': { contains: 'blue' } };
  const { items } = await call('list_books', { filter, limit: 100 });
  expect(items).toEqual(server.records('books').filter(({ tags }) => (tags as string[]).includes('blue')));
});

test.for(CASES)('$resource of $style.name: a change is told under the URI of its record', async (one) => {
  const { server, rostack } = await open(one.style);
  const failures: unknown[] = [];
  const watch = new RecordWatch(rostack, (error) => void failures.push(error));
  onTestFinished(() => watch.close());
  const told = new Set<string>();
  watch.listen((uri) => void told.add(uri));
  watch.follow(one.resource);
  await vi.waitFor(
    () => {
      server.put(one.resource, one.added);
      expect(told).toEqual(
        new Set([
          `rostack://${one.style.id}/${one.resource}`,
          `rostack://${one.style.id}/${one.resource}/${one.id}`,
        ]),
      );
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(failures).toEqual([]);
});

test('where two members may be the id, changes are told once it is said which', async () => {
  const [books] = ledgerStyle.resources;
  if (books === undefined) throw new Error('no resource');
  const schema = { type: 'object', properties: { code: { type: 'string' }, label: { type: 'string' } } };
  const records = [{ code: 'x1', label: 'x1' }];
  const resources = [{ name: 'things', idMember: 'code', schema, eventNames: books.eventNames, records }];
  const { server, rostack } = await open({ ...ledgerStyle, resources });
  const failures: unknown[] = [];
  const asking = new RecordWatch(rostack, (error) => void failures.push(error));
  onTestFinished(() => asking.close());
  asking.follow('things');
  await vi.waitFor(() => expect(failures).toMatchObject([{ code: 'invalid_record' }]), { timeout: 20_000 });
  const told = new Set<string>();
  const watch = new RecordWatch(
    rostack,
    (error) => void failures.push(error),
    () => '/code',
  );
  onTestFinished(() => watch.close());
  watch.listen((uri) => void told.add(uri));
  watch.follow('things');
  await vi.waitFor(
    () => {
      server.put('things', { code: 'x2', label: 'x1' });
      expect(told).toContain('rostack://ledger/things/x2');
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(failures).toHaveLength(1);
});
