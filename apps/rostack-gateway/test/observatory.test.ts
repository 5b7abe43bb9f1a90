import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { parseDiscovery, parseServerMessage } from 'rostack-core';
import { temporaryFolder } from 'test-support/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ObservatoryProcess } from './support/spawn-observatory.ts';

const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let observatory: ObservatoryProcess;
let baseUrl: string;
let certificatePem: string;
let token: string;
let command: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  observatory = new ObservatoryProcess({ ROSTACK_PORT: '0', DATA_DIR: folder.path });
  const ready = await observatory.ready();
  ({ baseUrl, certificatePem, command } = ready);
  token = ready.token ?? '';
});

afterAll(async () => {
  await observatory[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Through the platform's own client: curl, which trusts the printed certificate. */
async function get(url: string, ...fields: string[]): Promise<Answer> {
  const args = [
    '--silent',
    '--show-error',
    '--include',
    '--cacert',
    `${folder.path}/rostack/localhost.crt.pem`,
  ];
  const { stdout } = await run('curl', [...args, ...fields.flatMap((field) => ['-H', field]), url]);
  const [head = '', text = ''] = stdout.split(/\r\n\r\n([\s\S]*)/);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  };
}

const authorization = () => `Authorization: Rostack-Token ${token}`;

describe('the sample observatory', () => {
  test('the printed command shows the newest observations', async () => {
    const printed = async () => {
      const { stdout } = await run('sh', ['-c', command], { cwd: ObservatoryProcess.folder });
      return JSON.parse(stdout) as unknown;
    };
    // The feed writes one observation a second.
    await expect.poll(printed).toMatchObject({
      items: [{ quality: 'provisional' }, { quality: 'provisional' }],
      page: { event_cursor: expect.stringMatching(/^1\./) },
    });
  });

  test('serves a valid discovery document that can be revalidated', async () => {
    const url = `${baseUrl}/.well-known/rostack`;
    const { status, headers, body } = await get(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('cache-control')).toMatch(/max-age=\d+/);
    expect(parseDiscovery(body).resources.map(({ name }) => name)).toEqual(['stations', 'observations']);
    const again = await get(url, `If-None-Match: ${headers.get('etag')}`);
    expect(again.status).toBe(304);
  });

  test('lists stations page by page, and gets one with an entity tag', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? 'limit=7' : `limit=7&cursor=${cursor}`;
      const { body } = await get(`${baseUrl}/api/stations?${query}`, authorization());
      const page = body as { items: { id: string }[]; page: { next_cursor: string | null } };
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.page.next_cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(18);
    expect(new Set(seen).size).toBe(18);

    const item = await get(`${baseUrl}/api/stations/seoul`, authorization());
    expect(item).toMatchObject({ status: 200, body: { id: 'seoul', name: '서울' } });
    const again = await get(
      `${baseUrl}/api/stations/seoul`,
      authorization(),
      `If-None-Match: ${item.headers.get('etag')}`,
    );
    expect(again.status).toBe(304);
  });

  test('shows stations as GeoJSON features', async () => {
    const { headers, body } = await get(
      `${baseUrl}/api/stations/seoul`,
      authorization(),
      'Accept: application/geo+json',
    );
    expect(headers.get('content-type')).toBe('application/geo+json');
    expect(body).toMatchObject({
      type: 'Feature',
      id: 'seoul',
      geometry: {
        type: 'Point',
        coordinates: [expect.closeTo(127, 0), expect.closeTo(37.5, 0), expect.any(Number)],
      },
      properties: { name: '서울', status: 'online' },
    });
  });

  test("refuses a request without a token, with the protocol's problem", async () => {
    const { status, headers, body } = await get(`${baseUrl}/api/stations`);
    expect(status).toBe(401);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('www-authenticate')).toContain('Rostack-Token');
    expect(body).toMatchObject({ title: 'Authentication required', status: 401 });
  });

  test('a plain WebSocket client sees observations arrive, right after its snapshot', async () => {
    const list = await get(`${baseUrl}/api/observations?limit=1`, authorization());
    const { event_cursor: cursor } = (list.body as { page: { event_cursor: string } }).page;
    const discovery = await get(`${baseUrl}/.well-known/rostack`);
    const { endpoints } = parseDiscovery(discovery.body);

    const socket = new WebSocket(endpoints.websocket, 'rostack.v1', { ca: certificatePem });
    const types: string[] = [];
    const events: unknown[] = [];
    const pong = await new Promise<unknown>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'authenticate', method: 'shared_token', token }));
      });
      socket.on('message', (data: Buffer) => {
        const message = parseServerMessage(data.toString('utf8'));
        if (!('type' in message)) return;
        types.push(message.type);
        if (message.type === 'authenticated') {
          socket.send(
            JSON.stringify({ type: 'subscribe', subscription_id: 's1', resource: 'observations', cursor }),
          );
        }
        if (message.type === 'event') events.push(message.data);
        if (events.length === 3) socket.send(JSON.stringify({ type: 'ping', id: 'p1' }));
        if (message.type === 'pong') resolve(message);
      });
    });
    socket.close();

    expect(pong).toEqual({ type: 'pong', id: 'p1' });
    expect(types.slice(0, 2)).toEqual(['authenticated', 'subscribed']);
    expect(types).toContain('replay_complete');
    expect(events[0]).toMatchObject({ station_id: expect.any(String), observed_at: expect.any(String) });
  });

  test('a second start on the same data keeps token, records and certificate', async () => {
    await using other = await temporaryFolder();
    await using first = new ObservatoryProcess({ ROSTACK_PORT: '0', DATA_DIR: other.path });
    const before = await first.ready();
    const observations = async ({ baseUrl }: { readonly baseUrl: string }) => {
      const { stdout } = await run('curl', [
        '--silent',
        '--cacert',
        `${other.path}/rostack/localhost.crt.pem`,
        '-H',
        `Authorization: Rostack-Token ${before.token}`,
        `${baseUrl}/api/observations`,
      ]);
      return (JSON.parse(stdout) as { items: unknown[] }).items.length;
    };
    await expect.poll(() => observations(before)).toBeGreaterThan(0);
    expect(await first.stop('SIGTERM')).toBe(0);

    await using second = new ObservatoryProcess({ ROSTACK_PORT: '0', DATA_DIR: other.path });
    const after = await second.ready();
    expect(before.token).toMatch(/^rostack_/);
    expect(after.token).toBeUndefined();
    expect(after.certificatePem).toBe(before.certificatePem);
    expect(await observations(after)).toBeGreaterThan(0);
    expect(await second.stop('SIGINT')).toBe(0);
  });

  test('a port in use gives one clear sentence and exit code 1', async () => {
    await using other = await temporaryFolder();
    const taken = createServer();
    await new Promise<void>((done) => {
      taken.listen(0, '127.0.0.1', done);
    });
    const { port } = taken.address() as { port: number };
    try {
      await using blocked = new ObservatoryProcess({ ROSTACK_PORT: String(port), DATA_DIR: other.path });
      expect(await blocked.exited()).toBe(1);
      expect(blocked.stderr).toBe(
        `The rostack gateway cannot start: Port ${port} is already in use. Stop the other program, or set ROSTACK_PORT to a free port.\n`,
      );
    } finally {
      taken.close();
    }
  });
});
