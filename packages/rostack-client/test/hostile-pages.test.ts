import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { parallelSnapshot } from 'rostack-client/snapshot';
import { describe, expect, test } from 'vitest';
import { connected, drain, page } from './support/hostile-client.ts';
import { HostileServer, json } from './support/hostile-server.ts';
import { defineObservatory } from './support/observatory.ts';

describe('a page', () => {
  const ids = (...numbers: number[]) => numbers.map((number) => ({ id: `r${number}` }));

  test.for<[string, (cursor: string | null) => object]>([
    ['with more records than were asked for', () => page({}, ids(1, 2, 3))],
    ['with has_more and no next_cursor', () => page({ has_more: true })],
    ['with a next_cursor and not has_more', () => page({ next_cursor: 'n' })],
    ['without an event_cursor', () => page({ event_cursor: undefined })],
    [
      'with another event_cursor than before',
      (cursor) => page({ next_cursor: 'n', has_more: true, event_cursor: `c${cursor}` }),
    ],
    ['that leads to itself', () => page({ next_cursor: 'n', has_more: true })],
    ['with an unknown member', () => page({ total: 3 })],
  ])('%s is refused', async ([, make]) => {
    await using server = await HostileServer.start({
      answer: (_request, response, url) => json(response, 200, make(url.searchParams.get('cursor'))),
    });
    await using client = await connected(server);
    await expect(drain(client.list('stations', { pageSize: 2 }))).rejects.toMatchObject({
      code: 'invalid_response',
      retryable: false,
    });
  });

  test('of a chain without an end, and without records, is not followed for ever', async () => {
    let pages = 0;
    await using server = await HostileServer.start({
      answer: (_request, response) => {
        pages += 1;
        json(response, 200, page({ next_cursor: `n${pages}`, has_more: true }));
      },
    });
    await using client = await connected(server);
    await expect(drain(client.list('stations'))).rejects.toMatchObject({ code: 'invalid_response' });
    expect(pages).toBe(1_001);
  });

  test.for([true, false])(
    'of a snapshot is asked for while the one before comes, one ahead, where it is told first: %s',
    async (isTold) => {
      const asked: (string | null)[] = [];
      const whole: (() => void)[] = [];
      await using server = await HostileServer.start({
        answer: (_request, response, url) => {
          const cursor = url.searchParams.get('cursor');
          asked.push(cursor);
          const number = Number(cursor ?? 1);
          const { items, page: members } = page(
            number < 4 ? { next_cursor: String(number + 1), has_more: true } : {},
            ids(number),
          );
          const text = JSON.stringify(isTold ? { page: members, items } : { items, page: members });
          response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, -4));
          const end = () => response.end(text.slice(-4));
          if (number === 2) whole.push(end);
          else end();
        },
      });
      await using client = await connected(server);
      await using follow = client.follow('stations');
      const change = follow.next();
      await expect.poll(() => [asked.length, whole.length]).toEqual([isTold ? 3 : 2, 1]);
      await server.settle();
      expect(asked).toEqual(isTold ? [null, '2', '3'] : [null, '2']);
      for (const end of whole) end();
      const { value } = await change;
      expect(value?.kind === 'snapshot' && [...value.records.keys()]).toEqual(['r1', 'r2', 'r3', 'r4']);
      expect(asked).toEqual([null, '2', '3', '4']);
    },
  );

  test.for([undefined, parallelSnapshot({ ranges: 1 })])(
    'of a snapshot is asked for on a connection that is idle before the one before is taken in (%#)',
    async (snapshot) => {
      const steps: string[] = [];
      await using server = await HostileServer.start({
        answer: (_request, response, url) => {
          const number = Number(url.searchParams.get('cursor') ?? 1);
          const { items, page: members } = page(
            number < 8 ? { next_cursor: String(number + 1), has_more: true } : {},
            ids(number),
          );
          json(response, 200, { page: members, items });
        },
      });
      const onSent = (message: unknown): void => {
        const { path } = (message as { readonly request: { readonly path: string } }).request;
        steps.push(`asked for ${new URLSearchParams(path.split('?')[1]).get('cursor')}`);
      };
      await using client = await connected(server);
      subscribe('undici:client:sendHeaders', onSent);
      await using follow = client.follow('stations', {
        ...(snapshot && { snapshot }),
        recordId: (record) => {
          const id = record['id'] as string;
          steps.push(`took ${id}`);
          return id;
        },
      });
      await follow.next().finally(() => unsubscribe('undici:client:sendHeaders', onSent));
      // Connections are made for the pages before.
      for (const number of [6, 7, 8]) {
        expect(steps.indexOf(`asked for ${number}`)).toBeLessThan(steps.indexOf(`took r${number - 1}`));
      }
    },
  );

  test.for([undefined, parallelSnapshot({ ranges: 1 })])(
    'that was requested ahead and fails is reported once, after the one before (%#)',
    async (snapshot) => {
      const told: string[] = [];
      const asked: (string | null)[] = [];
      let end = () => {};
      await using server = await HostileServer.start({
        answer: (_request, response, url) => {
          const cursor = url.searchParams.get('cursor');
          if (url.searchParams.get('limit') !== '1') asked.push(cursor);
          if (cursor === '3') return json(response, 403, {});
          const number = Number(cursor ?? 1);
          const { items, page: members } = page(
            { next_cursor: String(number + 1), has_more: true },
            ids(number),
          );
          const text = JSON.stringify({ page: members, items });
          response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, -4));
          if (number === 1) response.end(text.slice(-4));
          else end = () => response.end(text.slice(-4));
        },
      });
      await using client = await connected(server);
      await using follow = client.follow('stations', {
        ...(snapshot && { snapshot }),
        recordId: (record) => {
          const id = record['id'] as string;
          told.push(id);
          return id;
        },
      });
      const change = follow.next();
      await expect.poll(() => asked).toContain('3');
      await server.settle();
      expect(told).toEqual(['r1']);
      end();
      await expect(change).rejects.toMatchObject({ code: 'invalid_response', retryable: false });
      expect(told).toEqual(['r1', 'r2']);
      expect(asked).toEqual([null, '2', '3']);
    },
  );

  test('of a snapshot without an end is not followed beyond the limit; a record comes once', async () => {
    let number = 0;
    await using server = await HostileServer.start({
      answer: (_request, response) => {
        number += 2;
        json(response, 200, page({ next_cursor: `n${number}`, has_more: true }, ids(number, number + 1)));
      },
    });
    await using client = await connected(server, { limits: { maxSnapshotRecords: 100 } });
    await expect(client.follow('stations').next()).rejects.toMatchObject({ code: 'invalid_response' });
    await using twice = await HostileServer.start({
      answer: (_request, response) => json(response, 200, page({}, ids(1, 1))),
    });
    await using other = await connected(twice);
    await expect(other.follow('stations').next()).rejects.toThrow('more than once');
  });

  test('of a snapshot may hold as many records as the limit, and not one more', async () => {
    await using server = await HostileServer.start({
      answer: (_request, response) => json(response, 200, page({}, ids(1, 2, 3))),
    });
    await using client = await connected(server, { limits: { maxSnapshotRecords: 3 } });
    expect((await client.follow('stations').next()).value).toMatchObject({ kind: 'snapshot' });
    await using other = await connected(server, { limits: { maxSnapshotRecords: 2 } });
    await expect(other.follow('stations').next()).rejects.toThrow('more than 2 records');
  });

  test('in another order than was asked for is refused where a follow has a limit', async () => {
    let names = ['a', 'b'];
    await using server = await HostileServer.start({
      answer: (_request, response, url) => {
        const schema = defineObservatory(url.origin).schemas.get(url.href);
        const items = names.map((name, index) => ({ id: `r${index}`, name }));
        json(response, 200, schema ?? page({ next_cursor: 'n', has_more: true }, items));
      },
    });
    await using client = await connected(server);
    const first = () => client.follow('stations', { sort: ['/name'], limit: 2, margin: 0 }).next();
    expect((await first()).value).toMatchObject({ kind: 'snapshot' });
    names = ['b', 'a'];
    await expect(first()).rejects.toMatchObject({ code: 'invalid_response' });
  });

  test.for([
    [[1, 1], []],
    [
      [1, 2],
      [3, 1],
    ],
  ])('of a range holds a record once: %o', async (numbers) => {
    await using server = await HostileServer.start({
      answer: (_request, response, url) => {
        const isSecond = url.searchParams.has('cursor');
        const members = isSecond ? {} : { next_cursor: 'n', has_more: true };
        const isStart = url.searchParams.get('limit') === '1';
        const answer = isStart ? page({}, ids(9)) : page(members, ids(...(numbers[isSecond ? 1 : 0] ?? [])));
        json(response, 200, answer);
      },
    });
    await using client = await connected(server);
    const follow = client.follow('stations', { snapshot: parallelSnapshot() });
    await expect(follow.next()).rejects.toThrow('r1 more than once');
  });

  test('that cannot be had now is waited for by a follow, which tells so', async () => {
    let asked = 0;
    await using server = await HostileServer.start({
      answer: (_request, response) => {
        asked += 1;
        if (asked < 3) response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
        else json(response, 200, page({}, ids(1)));
      },
    });
    await using client = await connected(server, { random: () => 0.5 });
    const waits: unknown[] = [];
    await using follow = client.follow('stations', {
      onWaiting: (error, retryInMs) => waits.push([(error as { code: string }).code, retryInMs]),
    });
    expect(await follow.next()).toMatchObject({ value: { kind: 'snapshot', added: [{ id: 'r1' }] } });
    expect(waits).toEqual([
      ['invalid_response', 150],
      ['invalid_response', 250],
    ]);
  });

  test('is given up as soon as the caller aborts', async () => {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using server = await HostileServer.start({
      answer: (_request, response) => {
        asked.resolve();
        response.once('close', closed.resolve);
      },
    });
    await using client = await connected(server);
    const controller = new AbortController();
    const reading = drain(client.list('stations', { signal: controller.signal }));
    await asked.promise;
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    await closed.promise;
  });
});
