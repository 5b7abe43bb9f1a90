import { type Meal, planeatOperator } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fixture } from './fixture.ts';
import { manualClock, scriptedOperator } from './scripted-operator.ts';
import { operatorAnswering } from './shinsegae-operator.ts';

const LUNCH: Meal = { code: '2', label: '중식' };

describe('the tree', () => {
  test.each(['tree', 'tree-in-ds', 'tree-in-resultList', 'tree-in-data', 'tree-in-list'])(
    '%s: restaurants are the stores, the titles above them their location',
    async (tree) => {
      const locationEn = ['Capital', 'Hanbit'];
      const { operator } = operatorAnswering({ tree });
      await using closing = operator;
      expect(await closing.restaurants()).toEqual({
        droppedRows: 0,
        value: [
          {
            vendor: 'shinsegae',
            id: 'CAF35',
            name: '본사 식당',
            nameEn: 'HQ Hall',
            location: ['수도권', '한빛전자'],
            locationEn,
          },
          {
            vendor: 'shinsegae',
            id: 'CAF36, CAF37',
            name: 'R5 식당',
            location: ['수도권', '한빛전자'],
            locationEn,
          },
          {
            vendor: 'shinsegae',
            id: 'VIP/1 가',
            name: 'VIP 다이닝',
            nameEn: 'VIP Dining',
            location: ['수도권', '한빛전자'],
            locationEn,
          },
        ],
      });
    },
  );

  test('a node that cannot be read is dropped and counted; a store without a code is none yet', async () => {
    const { operator } = operatorAnswering({ tree: 'tree-unreadable-nodes' });
    await using closing = operator;
    const { value, droppedRows } = await closing.restaurants();
    // A place without an English name is as it is.
    for (const { location, locationEn } of value)
      expect(locationEn ?? location).toHaveLength(location.length);
    expect(value.map(({ id, name, location }) => ({ id, name, location }))).toEqual([
      { id: 'CAF35', name: '본사 식당', location: ['수도권', '한빛전자'] },
      { id: 'CAF41', name: '이름은 여기', location: ['수도권', '한빛전자'] },
      { id: 'CAF43', name: '한빛전자', location: ['수도권'] },
    ]);
    expect(droppedRows).toBe(4);
  });

  test('a code that companies share does not merge their restaurants', async () => {
    const { operator } = operatorAnswering({ tree: 'tree-shared-code' });
    await using closing = operator;
    const { value } = await closing.restaurants();
    expect(value.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'CAF1.C01.B01 1식당',
      'CAF1.C02.B01 2식당',
      'CAF2 3식당',
    ]);
  });
});

describe('a tree that moved', () => {
  const refused = () => Promise.resolve(new Response('{"message":"orgTreeId"}', { status: 400 }));

  test.each([
    ['a refusal', [refused]],
    ['an empty answer', [fixture('shinsegae/ds-empty')]],
  ])('after %s the place is looked up again', async (_case, first) => {
    const clock = manualClock();
    const server = scriptedOperator({
      '/v2/storTree': [fixture('shinsegae/tree'), fixture('shinsegae/tree-moved')],
      '/v2/portal/dailyMenu': [...first, fixture('shinsegae/items')],
    });
    await using operator = planeatOperator({
      baseUrl: 'https://planeat.test/v2',
      fetch: server.fetch,
      clock,
    });
    await operator.restaurants();
    clock.advance(11 * 60_000);
    const { value } = await operator.day('CAF35', '2026-11-18', [LUNCH]);
    expect(value[0]).toMatchObject({ menus: [{ name: '제육볶음' }, {}, {}] });
    const places = server.requests.flatMap(({ query }) => query.get('orgTreeId') ?? []);
    expect(places).toEqual(['1:0:0', '0:0:0']);
  });

  test('an empty day is believed while the tree is young', async () => {
    const { operator, server } = operatorAnswering({ menus: ['ds-empty'] });
    await using closing = operator;
    await closing.restaurants();
    await closing.day('CAF35', '2026-11-18', [LUNCH]);
    expect(server.requests.filter(({ path }) => path === '/v2/storTree')).toHaveLength(1);
  });
});

test('a restaurant that the tree does not have is not found', async () => {
  const { operator } = operatorAnswering({});
  await using closing = operator;
  await expect(closing.meals('CAF99')).rejects.toMatchObject({ code: 'restaurant_not_found' });
});
