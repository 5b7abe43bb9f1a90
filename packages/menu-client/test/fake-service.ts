import { createMenuService, type MenuService, type MenuStore, memoryMenuStore } from 'menu-client';
import { type FakeOperator, type SteppedClock } from './fake-operator.ts';

export const TODAY = '2026-11-18';
export const TOMORROW = '2026-11-19';
export const MINUTE = 60_000;

/** A store that outlives the services over it, as a database does. */
export function sharedStore(clock: SteppedClock): MenuStore {
  return withMethods(memoryMenuStore({ nowMs: () => clock.nowMs() }), {
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  });
}

export function withMethods(store: MenuStore, methods: Partial<MenuStore>): MenuStore {
  return new Proxy(store, {
    get: (target, member) => {
      if (Object.hasOwn(methods, member)) return Reflect.get(methods, member);
      const value: unknown = Reflect.get(target, member);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export function serviceOver(operator: FakeOperator, clock: SteppedClock, store?: MenuStore): MenuService {
  return createMenuService({ operators: [operator], clock, ...(store === undefined ? {} : { store }) });
}

export async function lunch(service: MenuService, date = TODAY) {
  const day = await service.dailyMenu('welstory', 'R1', date);
  const [period] = day.periods;
  if (period === undefined) throw new Error('the day has no period');
  return period;
}
