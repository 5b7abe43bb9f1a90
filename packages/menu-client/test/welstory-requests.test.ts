import { describe, expect, test } from 'vitest';
import { menu } from './fake-operator.ts';
import { type Answer, json } from './scripted-operator.ts';

import { LUNCH, MEAL, readDay, setup } from './welstory-setup.ts';

describe('limits', () => {
  test.each<[string, () => Response]>([
    ['that says so', () => new Response('x', { headers: { 'content-length': '2097153' } })],
    [
      'that does not',
      () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) })),
    ],
  ])('an answer over 2 MiB %s is not read to its end', async (_case, answer) => {
    const { operator, paths } = setup(() => ({ '/api/meal': [answer] }));
    await using closing = operator;
    expect(await readDay(closing)).toBe('operator_answer_too_large');
    expect(paths()).toEqual(['/login', '/api/meal']);
  });

  test.each<[string, Answer]>([
    ['before it begins', () => new Promise(() => {})],
    [
      'in its middle',
      () => new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) })),
    ],
  ])(
    'an answer that stops %s ends by the timeout, even if fetch ignores its signal',
    async (_case, answer) => {
      const { operator, clock } = setup(() => ({ '/api/meal': [answer] }), { timeoutMs: 5 });
      await using closing = operator;
      expect(await readDay(closing)).toBe('operator_timeout');
      // Each is given a quarter of a second to end before the next; one delay between attempts is as long.
      expect(clock.slept.filter((ms) => ms === 250)).toHaveLength(5);
    },
  );

  test('no more requests in any minute than the budget', async () => {
    const sentAtMs: number[] = [];
    const { operator, clock } = setup(
      () => ({
        '/api/meal': [
          () => {
            sentAtMs.push(clock.nowMs());
            return json(MEAL);
          },
        ],
      }),
      { maxRequestsPerMinute: 60 },
    );
    await using closing = operator;
    for (let reads = 0; reads < 200; reads += 1) await readDay(closing);
    const inMinuteFrom = (ms: number) => sentAtMs.filter((at) => at >= ms && at < ms + 60_000).length;
    // The login was one of the first minute's.
    const most = Math.max(...sentAtMs.map(inMinuteFrom));
    expect(most).toBeLessThanOrEqual(60);
    expect(most).toBeGreaterThan(45);
  });

  test('the foreground goes before the background', async () => {
    const { operator, server } = setup(() => ({ '/api/meal': [MEAL] }));
    await using closing = operator;
    await closing.day('first', '2026-11-18', [LUNCH]);
    const read = (id: string, priority: 'foreground' | 'background') =>
      closing.day(id, '2026-11-18', [LUNCH], { priority });
    await Promise.all([
      read('b1', 'background'),
      read('b2', 'background'),
      read('f1', 'foreground'),
      read('f2', 'foreground'),
    ]);
    const order = server.requests.slice(2).map(({ query }) => query.get('restaurantCode'));
    expect(order).toEqual(['b1', 'f1', 'f2', 'b2']);
  });
});

describe('ends', () => {
  test('a signal ends a read that is waiting for its turn, and one that is under way', async () => {
    const sent = Promise.withResolvers<void>();
    const { operator } = setup(() => ({
      '/api/meal': [
        (request) =>
          new Promise((_resolve, reject) => {
            request.signal.addEventListener('abort', () => reject(request.signal.reason));
            sent.resolve();
          }),
      ],
    }));
    await using closing = operator;
    const ending = new AbortController();
    const reads = [1, 2].map(() =>
      closing.day('REST000007', '2026-11-18', [LUNCH], { signal: ending.signal }),
    );
    const ends = reads.map((read) => expect(read).rejects.toMatchObject({ code: 'aborted' }));
    await sent.promise;
    ending.abort();
    await Promise.all(ends);
    expect.hasAssertions();
  });

  test('closing ends everything, and nothing begins after it', async () => {
    const { operator, paths } = setup(() => ({ '/api/meal': [MEAL] }));
    await operator[Symbol.asyncDispose]();
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      restaurants: () => operator.restaurants(),
      meals: () => operator.meals('REST000007'),
      day: () => operator.day('REST000007', '2026-11-18', [LUNCH]),
      'day without meals': () => operator.day('REST000007', '2026-11-18', []),
      menuDetail: () => operator.menuDetail('REST000007', '2026-11-18', menu('not a course')),
    };
    for (const [name, call] of Object.entries(calls))
      await expect(call(), name).rejects.toMatchObject({ code: 'closed', retryable: false });
    expect(paths()).toEqual([]);
  });
});
