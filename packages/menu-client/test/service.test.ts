import { startSandbox, type TakeOutForm } from 'menu-sandbox';
import { describe, expect, test } from 'vitest';
import { sandboxService } from './sandbox-service.ts';

/** A Wednesday that is not a holiday. */
const WEDNESDAY = '2026-11-18';

/** What Shinsegae's kitchen offers to several; its other take-out is single items. */
const TOO_MUCH: ReadonlySet<TakeOutForm | undefined> = new Set<TakeOutForm>(['many-dishes', 'heavy']);

describe('a service over both operators', () => {
  test('lists every restaurant of both, and none that nobody can eat at', async () => {
    await using sandbox = await startSandbox();
    await using service = sandboxService(sandbox);
    const { restaurants, incomplete } = await service.restaurants();
    expect(incomplete).toEqual([]);
    const listed = restaurants.map(({ vendor, id, name, location }) => ({ vendor, id, name, location }));
    const expected = sandbox.restaurants.map(({ vendor, id, name, location }) => ({
      vendor,
      id,
      name,
      location,
    }));
    expect(new Set(listed.map((item) => JSON.stringify(item)))).toEqual(
      new Set(expected.map((item) => JSON.stringify(item))),
    );
  });

  test('finds restaurants by keyword', async () => {
    await using sandbox = await startSandbox();
    await using service = sandboxService(sandbox);
    const { restaurants: found } = await service.search('강남');
    expect(found.length).toBeGreaterThan(0);
    for (const { name, location } of found) expect([name, ...location].join(' ')).toContain('강남');
    expect(await service.search('  ')).toEqual({ restaurants: [], incomplete: [] });
  });

  test('the kept days of a restaurant are those that were read, in order, without asking its operator', async () => {
    await using sandbox = await startSandbox();
    await using service = sandboxService(sandbox);
    for (const date of ['2026-11-19', WEDNESDAY]) await service.dailyMenu('welstory', 'REST000007', date);
    sandbox.setFaults([{ fault: 'server-error' }]);
    const kept = await service.keptDays('welstory', 'REST000007', '2026-11-01', 30);
    expect(kept.map(({ date }) => date)).toEqual([WEDNESDAY, '2026-11-19']);
    expect(kept[0]?.periods.map(({ status }) => status)).toContain('ok');
    await expect(service.keptDays('welstory', 'none', WEDNESDAY, 1)).rejects.toMatchObject({
      code: 'restaurant_not_found',
    });
    await expect(service.keptDays('welstory', 'REST000007', WEDNESDAY, 43)).rejects.toThrow('days');
  });

  test('many who ask at first wait for one index', async () => {
    await using sandbox = await startSandbox();
    await using service = sandboxService(sandbox);
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => service.restaurants()));
    for (const other of others) expect(other.restaurants).toBe(first?.restaurants);
  });

  test.each(['welstory', 'shinsegae'] as const)(
    'reads a day of %s as the kitchen planned it',
    async (vendor) => {
      await using sandbox = await startSandbox();
      await using service = sandboxService(sandbox);
      for (const { id } of sandbox.restaurants.filter((item) => item.vendor === vendor).slice(0, 12)) {
        const day = await service.dailyMenu(vendor, id, WEDNESDAY);
        const plan = sandbox.plan(vendor, id, WEDNESDAY);
        expect(day.periods.map(({ code, label }) => ({ code, label }))).toEqual(
          plan.map((meal) => meal.meal),
        );
        for (const [index, meal] of plan.entries()) {
          const period = day.periods[index];
          expect(period?.status).toBe(meal.courses.length === 0 ? 'empty' : 'ok');
          const served = period?.menus.map(({ name, serving, soldOut }) => ({ name, serving, soldOut }));
          expect(served).toEqual(
            meal.courses.map((course) => ({
              name: course.dishes[0]?.name,
              serving: course.takeOut === undefined ? 'take-in' : 'take-out',
              soldOut: vendor === 'shinsegae' && course.soldOut,
            })),
          );
          const items = period?.menus.map(({ bundle }) => bundle?.items.map(({ name }) => name));
          expect(items).toEqual(
            meal.courses.map((course) =>
              vendor === 'welstory' || TOO_MUCH.has(course.takeOut)
                ? course.items?.map(({ name }) => name)
                : undefined,
            ),
          );
          const bundles = period?.menus.filter(({ bundle }) => bundle !== undefined) ?? [];
          for (const { bundle, nutrition } of bundles)
            expect([bundle?.status, nutrition]).toEqual(['ok', undefined]);
        }
      }
    },
  );

  test('is healthy after reading, with the time of the last success', async () => {
    await using sandbox = await startSandbox();
    await using service = sandboxService(sandbox);
    await service.restaurants();
    const health = await service.health();
    expect(health).toMatchObject({ status: 'ok', store: 'ok' });
    for (const { lastSuccessAt } of health.operators) expect(Date.parse(lastSuccessAt ?? '')).not.toBeNaN();
  });

  test('an unknown restaurant and a date that no calendar has are errors of their own', async () => {
    await using sandbox = await startSandbox();
    await using service = sandboxService(sandbox);
    await expect(service.dailyMenu('welstory', 'nowhere', WEDNESDAY)).rejects.toMatchObject({
      code: 'restaurant_not_found',
      retryable: false,
    });
    await expect(service.dailyMenu('welstory', 'REST000001', '2026-02-30')).rejects.toMatchObject({
      code: 'invalid_date',
    });
  });
});
