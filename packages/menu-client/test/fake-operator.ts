import {
  type BundleItem,
  type Clock,
  type Meal,
  type Menu,
  type MenuErrorCode,
  type Operator,
  OperatorError,
  type Reading,
  type ReadOptions,
  type Vendor,
} from 'menu-client';

export interface SteppedClock extends Clock {
  /** Lets the time pass, and everything that wakes in it run. */
  advance(ms: number): Promise<void>;
}

/** Sleepers wake only when a test lets the time pass. */
export function steppedClock(startMs = Date.parse('2026-11-18T03:00:00Z')): SteppedClock {
  let nowMs = startMs;
  const sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>();
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          atMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        if (signal?.aborted === true) return resolve();
        sleepers.add(sleeper);
        signal?.addEventListener('abort', sleeper.wake);
        return undefined;
      }),
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined || next.atMs > untilMs) break;
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
        await settle();
      }
      nowMs = untilMs;
      await settle();
    },
  };
}

/** Lets everything run that waits for nothing but its turn, database calls on loopback included. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface FakeOperator extends Operator {
  /** What the operator is asked, in order: `restaurants`, `meals <id>`, `day <id> <date>`. */
  readonly calls: string[];
  menus: readonly Menu[];
  meals_: readonly Meal[];
  /** What a bundle is answered with; throws what is told. */
  items: (bundle: Menu) => Reading<readonly BundleItem[]>;
  /** The code that every read fails with. */
  failure: MenuErrorCode | undefined;
  /** Reads wait for it. */
  gate: Promise<void>;
  inFlight: number;
  maxInFlight: number;
}

export const LUNCH: Meal = { code: '2', label: '점심' };

export function menu(id: string, name = id): Menu {
  return { id, name, serving: 'take-in', soldOut: false, components: [] };
}

/** An operator with one restaurant that serves lunch. */
export function fakeOperator(
  vendor: Vendor = 'welstory',
  restaurantIds: readonly string[] = ['R1'],
): FakeOperator {
  const read = async <T>(call: string, options: ReadOptions | undefined, value: () => T): Promise<T> => {
    operator.calls.push(call);
    const request = async () => {
      operator.inFlight += 1;
      operator.maxInFlight = Math.max(operator.maxInFlight, operator.inFlight);
      try {
        await operator.gate;
        if (operator.failure !== undefined) throw new OperatorError(vendor, operator.failure, 'as told');
        return value();
      } finally {
        operator.inFlight -= 1;
      }
    };
    return options?.exclusively === undefined ? request() : options.exclusively(request, options.signal);
  };
  const operator: FakeOperator = {
    vendor,
    maxConcurrentRequests: 1,
    calls: [],
    menus: [menu('a')],
    meals_: [LUNCH],
    items: () => ({ value: [], droppedRows: 0 }),
    failure: undefined,
    gate: Promise.resolve(),
    inFlight: 0,
    maxInFlight: 0,
    restaurants: (options) =>
      read('restaurants', options, () => ({
        value: restaurantIds.map((id) => ({ vendor, id, name: `${vendor} ${id}`, location: [] })),
        droppedRows: 0,
      })),
    meals: (id, options) => read(`meals ${id}`, options, () => ({ value: operator.meals_, droppedRows: 0 })),
    day: (id, date, meals, options) =>
      read(`day ${id} ${date}`, options, () => ({
        value: meals.map((meal) => ({ ...meal, menus: operator.menus })),
        droppedRows: 0,
      })),
    bundleItems: (id, date, item, options) =>
      read(`items ${id} ${date} ${item.id}`, options, () => operator.items(item)),
    menuDetail: (id, date, item, options) => read(`detail ${id} ${date} ${item.id}`, options, () => item),
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return operator;
}
