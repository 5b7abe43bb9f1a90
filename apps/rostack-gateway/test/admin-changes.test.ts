import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, type AdminGateway, adminGateway } from './support/admin-gateway.ts';

let running: AdminGateway;

beforeAll(async () => {
  running = await adminGateway();
});

afterAll(() => running[Symbol.asyncDispose]());

const NDJSON = { 'Content-Type': 'application/x-ndjson' };

interface OpenStream {
  readonly sent: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
}

/** A change stream that is open in both directions. */
function openStream({ url }: AdminGateway = running): OpenStream {
  const sent = request(`${url}/resources/stations/changes`, {
    method: 'POST',
    agent: false,
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, ...NDJSON },
  });
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
  sent.on('error', () => {});
  sent.flushHeaders();
  return { sent, answer };
}

/** Sends a whole body; the results, a line each. */
async function sendChanges(lines: readonly string[]): Promise<{ response: Response; results: unknown[] }> {
  const response = await running.admin('/resources/stations/changes', {
    method: 'POST',
    headers: NDJSON,
    body: lines.join(''),
  });
  const results = (await response.text()).trim().split('\n');
  return { response, results: results.map((line) => JSON.parse(line) as unknown) };
}

const change = (id: string, height: unknown, more: object = {}) =>
  `${JSON.stringify({ op: 'put', record: { id, height }, ...more })}\n`;

describe('a stream of changes', () => {
  test('may have any number of short lines', async () => {
    const { results } = await sendChanges(
      Array.from({ length: 2_500 }, (_, index) => `{"op":"delete","id":"${index}"}\n`),
    );
    expect(results).toHaveLength(2_501);
    expect(results.at(-1)).toMatchObject({ done: true, lines: 2_500, unchanged: 2_500 });
  });

  test('is answered line by line, in order, with the counts at the end', async () => {
    const { response, results } = await sendChanges([
      change('s1', 1),
      change('s1', 2),
      change('s2', 'high'),
      '\n',
      'no json\n',
      '{"op":"patch"}\n',
      '{"op":"put","record":{"id":"s3","height":1},"more":1}\n',
      change('s1', 3, { expected_version: 'other' }),
      change('s4', 1, { expected_version: null, event: 'station.created' }),
      '{"op":"delete","id":"s1"}\n',
      '{"op":"delete","id":"s1"}',
    ]);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(results).toMatchObject([
      { line: 1, status: 'changed', id: 's1', transition: 'create' },
      { line: 2, status: 'changed', id: 's1', transition: 'update' },
      { line: 3, status: 'refused', code: 'record_invalid', pointer: '/height' },
      { line: 5, status: 'refused', code: 'line_not_json' },
      { line: 6, status: 'refused', code: 'change_malformed' },
      { line: 7, status: 'refused', code: 'change_malformed', message: expect.stringContaining('more') },
      { line: 8, status: 'refused', code: 'version_conflict', present_version: expect.any(String) },
      { line: 9, status: 'changed', id: 's4' },
      { line: 10, status: 'changed', transition: 'delete' },
      { line: 11, status: 'unchanged' },
      { done: true, lines: 10, changed: 4, unchanged: 1, refused: 5 },
    ]);
  });

  test('refuses lines that would not be kept as they are written', async () => {
    const lines = [
      '{"op":"put","record":{"id":"x1","height":9007199254740993}}',
      '{"op":"put","record":{"id":"x1","height":1,"height":2}}',
      '{"op":"put","record":{"id":"x1","height":1},"record":{"id":"x2","height":1}}',
      '{"op":"delete","op":"put","record":{"id":"x1","height":1}}',
      '{"op":"put","record":{"id":"x1","height":1.50}}',
    ];
    const { results } = await sendChanges(lines.map((line) => `${line}\n`));
    expect(results).toMatchObject([
      { line: 1, status: 'refused', code: 'record_invalid', pointer: '/height' },
      { line: 2, status: 'refused', code: 'record_invalid', pointer: '/height' },
      { line: 3, status: 'refused', code: 'change_malformed', pointer: '/record' },
      { line: 4, status: 'refused', code: 'change_malformed', pointer: '/op' },
      { line: 5, status: 'changed', id: 'x1' },
      { done: true, lines: 5, changed: 1, refused: 4 },
    ]);
    expect(await running.stored('x1')).toEqual({ id: 'x1', height: 1.5 });
  });

  test('gives each result as soon as the line is written, while the client goes on sending', async () => {
    const { sent, answer } = openStream();
    const response = await answer;
    const lines = createInterface({ input: response })[Symbol.asyncIterator]();
    for (const height of [1, 2, 3]) {
      sent.write(change('live', height));
      const { value } = await lines.next();
      expect(JSON.parse(String(value))).toMatchObject({ line: height, status: 'changed' });
      expect(await running.stored('live')).toMatchObject({ height });
    }
    sent.end();
    const { value } = await lines.next();
    expect(JSON.parse(String(value))).toMatchObject({ done: true, changed: 3 });
  });

  test('stops when the client does not read, and goes on when it does', { timeout: 300_000 }, async () => {
    const count = 150_000;
    // 60 MB with it: more than the system buffers of a connection, where some allow 36.
    const padding = ' '.repeat(350);
    const { sent, answer } = openStream();
    const response = await answer;
    response.pause();
    const source = running.gateway.store.source('stations');
    const before = (await source.head()).position;
    const writing = (async () => {
      for (let from = 0; from < count; from += 500) {
        const changes = Array.from({ length: 500 }, (_, index) => change(`p${from + index}`, 1));
        const lines = changes.map((line) => `${padding}${line}`).join('');
        if (!sent.write(lines)) await once(sent, 'drain');
      }
      sent.end();
    })();
    let written = 0;
    let looks = 0;
    // The client may not send and the position is the same in ten looks: nothing is read or written any more.
    while (looks < 10) {
      await new Promise((done) => setTimeout(done, 50));
      const now = (await source.head()).position - before;
      looks = now > 0 && now === written && sent.writableNeedDrain ? looks + 1 : 0;
      written = now;
    }
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(count / 2);
    const results = (await text(response)).trim().split('\n');
    await writing;
    expect(results).toHaveLength(count + 1);
    expect(JSON.parse(results.at(-1) ?? '')).toEqual({
      done: true,
      lines: count,
      changed: count,
      unchanged: 0,
      refused: 0,
    });
    expect((await source.head()).position - before).toBe(count);
  });

  test('ends with what was written when the client goes away', async () => {
    const { sent, answer } = openStream();
    const response = await answer;
    response.on('error', () => {});
    sent.write(change('gone', 1));
    await once(response, 'data');
    sent.destroy();
    await expect.poll(() => running.stored('gone')).toEqual({ id: 'gone', height: 1 });
    expect((await running.put({ id: 'after', height: 1 }, {}, 'after')).status).toBe(201);
  });

  test('says so when the store fails on the way', async () => {
    await using other = await adminGateway();
    const { sent, answer } = openStream(other);
    sent.write(change('a', 1));
    const lines = createInterface({ input: await answer })[Symbol.asyncIterator]();
    await lines.next();
    await other.gateway.store.close();
    sent.end(change('b', 1));
    const { value } = await lines.next();
    expect(JSON.parse(String(value))).toEqual({
      done: false,
      lines: 1,
      changed: 1,
      unchanged: 0,
      refused: 0,
      code: 'store_unavailable',
      message: 'The store cannot be reached now.',
      retryable: true,
    });
  });

  test('has to be NDJSON', async () => {
    const response = await running.admin('/resources/stations/changes', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(415);
  });
});
