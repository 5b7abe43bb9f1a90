import { createMenuService, type MenuChange } from 'menu-client';
import { describe, expect, test } from 'vitest';
import { fakeOperator, LUNCH, menu, settle, steppedClock } from './fake-operator.ts';
import { lunch, MINUTE, serviceOver, sharedStore, TOMORROW } from './fake-service.ts';

describe('changes', () => {
  test('menus that are added, changed and withdrawn are told once, with the times of the period', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const changes: MenuChange[] = [];
    const told = () => changes.splice(0).map(({ kind, menu: { id } }) => `${kind} ${id}`);
    await using service = createMenuService({
      operators: [operator],
      clock,
      onChange: (change) => changes.push(change),
    });
    operator.menus = [];
    const empty = await lunch(service);
    expect(empty.status).toBe('empty');
    expect(empty).not.toHaveProperty('firstSeenAt');
    const rereadWith = async (...menus: readonly ReturnType<typeof menu>[]) => {
      operator.menus = menus;
      await clock.advance(20 * MINUTE);
      await lunch(service);
      await settle();
      return lunch(service);
    };
    expect(await rereadWith(menu('a'), menu('b'))).toMatchObject({
      firstSeenAt: '2026-11-18T03:20:00.000Z',
      changedAt: '2026-11-18T03:20:00.000Z',
    });
    expect(told()).toEqual(['added a', 'added b']);
    expect(await rereadWith(menu('b'), menu('a'))).toMatchObject({ changedAt: '2026-11-18T03:20:00.000Z' });
    expect(told()).toEqual([]);
    expect(await rereadWith(menu('b', 'another'))).toMatchObject({
      firstSeenAt: '2026-11-18T03:20:00.000Z',
      changedAt: '2026-11-18T04:00:00.000Z',
    });
    expect(told()).toEqual(['changed b', 'withdrawn a']);
    // Believed when it is read twice.
    expect(await rereadWith()).toMatchObject({ status: 'stale', menus: [{ id: 'b' }] });
    expect(told()).toEqual([]);
    expect(await rereadWith()).toMatchObject({ status: 'empty', firstSeenAt: '2026-11-18T03:20:00.000Z' });
    expect(told()).toEqual(['withdrawn b']);
  });

  test('a period has what changed on its day with the time, also after a restart; not what changed before', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const store = sharedStore(clock);
    let service = serviceOver(operator, clock, store);
    const reread = async (...menus: readonly ReturnType<typeof menu>[]) => {
      operator.menus = menus;
      await clock.advance(4 * 60 * MINUTE);
      await lunch(service, TOMORROW);
      await settle();
      return (await lunch(service, TOMORROW)).changes;
    };
    // Noon of the day before.
    expect(await reread(menu('a'))).toBeUndefined();
    expect(await reread(menu('b'))).toBeUndefined();
    await clock.advance(9 * 60 * MINUTE);
    expect(await reread(menu('b'), menu('c'))).toEqual([
      { kind: 'added', menuId: 'c', name: 'c', at: '2026-11-19T00:00:00.000Z' },
    ]);
    await service[Symbol.asyncDispose]();
    service = serviceOver(operator, clock, store);
    const changes = await reread({ ...menu('b'), soldOut: true });
    expect(changes?.map(({ kind, menuId, at }) => `${kind} ${menuId} ${at}`)).toEqual([
      'added c 2026-11-19T00:00:00.000Z',
      'sold-out b 2026-11-19T04:00:00.000Z',
      'withdrawn c 2026-11-19T04:00:00.000Z',
    ]);
    operator.failure = 'operator_unavailable';
    expect(await reread()).toEqual(changes);
    await service[Symbol.asyncDispose]();
  });

  test('of a meal that changes all day the latest 40 changes are kept', async () => {
    // A minute after midnight in Seoul.
    const clock = steppedClock(Date.parse('2026-11-17T15:01:00Z'));
    const operator = fakeOperator();
    await using service = serviceOver(operator, clock);
    const reread = async (name: string) => {
      operator.menus = [menu('a'), menu(name)];
      await clock.advance(20 * MINUTE);
      await lunch(service);
      await settle();
      return (await lunch(service)).changes?.map((change) => `${change.kind} ${change.menuId}`) ?? [];
    };
    await lunch(service);
    expect(await reread('m0')).toEqual(['added m0']);
    // Each reading adds a menu and withdraws the one before: two changes.
    const told: string[] = ['added m0'];
    for (let at = 1; at <= 21; at += 1) {
      const changes = await reread(`m${at}`);
      told.push(...changes.slice(-2));
      expect(changes).toEqual(told.slice(-40));
    }
    expect(new Set(told)).toHaveLength(43);
  });

  test('a failure changes nothing', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    const changes: MenuChange[] = [];
    await using service = createMenuService({
      operators: [operator],
      clock,
      onChange: (change) => changes.push(change),
    });
    await lunch(service);
    changes.length = 0;
    operator.failure = 'operator_unavailable';
    await clock.advance(20 * MINUTE);
    await lunch(service);
    await settle();
    expect(changes).toEqual([]);
    expect(await lunch(service)).toMatchObject({ status: 'stale', changedAt: '2026-11-18T03:00:00.000Z' });
  });

  test('a meal that the restaurant gives up is withdrawn with its menus', async () => {
    const clock = steppedClock();
    const operator = fakeOperator();
    operator.meals_ = [LUNCH, { code: '3', label: '저녁' }];
    await using service = serviceOver(operator, clock);
    const later = '2026-11-25';
    await service.dailyMenu('welstory', 'R1', later);
    operator.meals_ = [LUNCH];
    await clock.advance(25 * 60 * MINUTE);
    await service.dailyMenu('welstory', 'R1', later);
    await settle();
    await clock.advance(4 * 60 * MINUTE);
    await service.dailyMenu('welstory', 'R1', later);
    await settle();
    const { periods } = await service.dailyMenu('welstory', 'R1', later);
    expect(periods.map(({ code, status }) => `${code} ${status}`)).toEqual(['2 ok', '3 empty']);
  });
});
