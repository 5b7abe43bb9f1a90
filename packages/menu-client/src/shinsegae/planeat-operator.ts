import type { MealCode } from '../domain/daily-menu.ts';
import type { Menu } from '../domain/menu.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { OperatorError } from '../error/menu-error.ts';
import { isHtml, parseJson, statusError } from '../http/answer-error.ts';
import { type Clock, systemClock } from '../http/clock.ts';
import { formatQuery } from '../http/query.ts';
import { RequestLane } from '../http/request-lane.ts';
import { DEFAULT_RETRY, type RetryPolicy, retrying } from '../http/retry.ts';
import { type Fetch, sendRequest } from '../http/send-request.ts';
import type { Meal, MealReading, Operator, Reading, ReadOptions } from '../operator/operator.ts';
import { readMeals } from '../operator/read-meals.ts';
import { groupByMeal } from './group-by-meal.ts';
import { type MealItem, parseDailyMenu, parseMeals } from './parse-daily-menu.ts';
import { parseTree, type StoreNode } from './parse-tree.ts';

export interface PlaneatOperatorOptions {
  /** @default 'https://m.planeatchoice.net/v2' */
  readonly baseUrl?: string;
  /** @default the global fetch */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** 0 to 1, for the jitter of retries. @default Math.random */
  readonly random?: () => number;
  /** Of one request. @default 10000 */
  readonly timeoutMs?: number;
  /** Of one answer's body. @default 2097152 (2 MiB) */
  readonly maxAnswerBytes?: number;
  /** @default 3 */
  readonly maxConcurrentRequests?: number;
  /** @default 240 */
  readonly maxRequestsPerMinute?: number;
  /** @default 4 attempts, 250 ms doubled up to 5 s */
  readonly retry?: RetryPolicy;
  /** How long the tree, and so each restaurant's place in it, is trusted. @default 3600000 (1 h) */
  readonly treeTtlMs?: number;
}

/** How old the tree may be when a day is answered with nothing, or refused: the restaurant may have moved. */
const TREE_TRUST_MS = { empty: 10 * 60_000, refused: 5000 };

/** Shinsegae Food, "PlanEAT Choice": needs no account. */
export function planeatOperator(options: PlaneatOperatorOptions = {}): Operator {
  return new PlaneatOperator(options);
}

interface Tree {
  readonly nodes: ReadonlyMap<string, StoreNode>;
  readonly droppedRows: number;
  readonly readAtMs: number;
}

class PlaneatOperator implements Operator {
  readonly vendor = 'shinsegae';
  readonly maxConcurrentRequests: number;
  readonly #options: PlaneatOperatorOptions;
  readonly #baseUrl: string;
  readonly #clock: Clock;
  readonly #lane: RequestLane;
  #tree: Tree | undefined;
  #treeInFlight: Promise<Tree> | undefined;

  constructor(options: PlaneatOperatorOptions) {
    this.#options = options;
    this.#baseUrl = (options.baseUrl ?? 'https://m.planeatchoice.net/v2').replace(/\/+$/, '');
    this.#clock = options.clock ?? systemClock;
    this.maxConcurrentRequests = options.maxConcurrentRequests ?? 3;
    this.#lane = new RequestLane({
      vendor: this.vendor,
      clock: this.#clock,
      maxConcurrentRequests: this.maxConcurrentRequests,
      maxRequestsPerMinute: options.maxRequestsPerMinute ?? 240,
    });
  }

  async restaurants(options: ReadOptions = {}): Promise<Reading<readonly Restaurant[]>> {
    const tree = await this.#readTree(options, 0);
    return { value: [...tree.nodes.values()].map((node) => node.restaurant), droppedRows: tree.droppedRows };
  }

  async meals(restaurantId: string, options: ReadOptions = {}): Promise<Reading<readonly Meal[]>> {
    const { busiCd, compCd, storCd } = await this.#node(restaurantId, options);
    return this.#get(`/storTime?${formatQuery({ busiCd, compCd, storCd })}`, parseMeals, options);
  }

  async day(
    restaurantId: string,
    date: string,
    meals: readonly Meal[],
    options: ReadOptions = {},
  ): Promise<Reading<readonly MealReading[]>> {
    const node = await this.#node(restaurantId, options);
    const first = await this.#readDay(node, date, meals, options);
    const suspect = suspicionOf(first.value);
    if (suspect === undefined) return first;
    const again = await this.#node(restaurantId, options, TREE_TRUST_MS[suspect]);
    return again.orgTreeId === node.orgTreeId ? first : this.#readDay(again, date, meals, options);
  }

  async menuDetail(_restaurantId: string, _date: string, menu: Menu): Promise<Menu> {
    return menu;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lane[Symbol.asyncDispose]();
  }

  async #readDay(
    node: StoreNode,
    date: string,
    meals: readonly Meal[],
    options: ReadOptions,
  ): Promise<Reading<readonly MealReading[]>> {
    const items: MealItem[] = [];
    const { value, droppedRows } = await readMeals(meals, options, async (meal) => {
      const reading = await this.#readMeal(node, date, meal.code, options);
      items.push(...reading.value);
      return { value: [], droppedRows: reading.droppedRows };
    });
    return { value: groupByMeal(value, items), droppedRows };
  }

  #readMeal(
    node: StoreNode,
    date: string,
    mealCd: MealCode,
    options: ReadOptions,
  ): Promise<Reading<readonly MealItem[]>> {
    const parameters = formatQuery({
      busiCd: node.busiCd,
      compCd: node.compCd,
      storCd: node.storCd,
      orgTreeId: node.orgTreeId,
      saleDt: date,
      mealCd,
      itemFg: '',
      packFg: '',
      today: new Date(this.#clock.nowMs()).toUTCString(),
      listType: 'card',
      orderType: 'new',
    });
    return this.#get(`/portal/dailyMenu?${parameters}`, (value) => parseDailyMenu(value, mealCd), options);
  }

  async #node(restaurantId: string, options: ReadOptions, maxAgeMs?: number): Promise<StoreNode> {
    const ttlMs = maxAgeMs ?? this.#options.treeTtlMs ?? 3_600_000;
    const node = (await this.#readTree(options, ttlMs)).nodes.get(restaurantId);
    if (node !== undefined) return node;
    throw new OperatorError(this.vendor, 'restaurant_not_found', 'The operator has no such restaurant.');
  }

  /** The tree as it was at most `maxAgeMs` ago; one request at a time reads it. */
  async #readTree(options: ReadOptions, maxAgeMs: number): Promise<Tree> {
    const tree = this.#tree;
    if (tree !== undefined && this.#clock.nowMs() - tree.readAtMs < maxAgeMs) return tree;
    const request: ReadOptions =
      options.exclusively === undefined ? {} : { exclusively: options.exclusively };
    this.#treeInFlight ??= this.#get('/storTree', parseTree, request)
      .then(({ value, droppedRows }) => {
        const nodes = new Map(value.map((node) => [node.restaurant.id, node]));
        this.#tree = { nodes, droppedRows, readAtMs: this.#clock.nowMs() };
        return this.#tree;
      })
      .finally(() => {
        this.#treeInFlight = undefined;
      });
    return this.#treeInFlight;
  }

  #get<T>(path: string, parse: (value: unknown) => T, options: ReadOptions): Promise<T> {
    const signal =
      options.signal === undefined ? this.#lane.signal : AbortSignal.any([options.signal, this.#lane.signal]);
    const attempt = async () => {
      const answer = await this.#lane.run(
        () =>
          sendRequest(
            `${this.#baseUrl}${path}`,
            { headers: { accept: 'application/json' } },
            {
              vendor: this.vendor,
              fetch: this.#options.fetch ?? globalThis.fetch,
              timeoutMs: this.#options.timeoutMs ?? 10_000,
              maxBytes: this.#options.maxAnswerBytes ?? 2 * 1024 * 1024,
              signal,
            },
          ),
        options,
      );
      const refused = statusError(this.vendor, answer, this.#clock.nowMs());
      if (refused !== undefined) throw refused;
      if (isHtml(answer)) {
        throw new OperatorError(this.vendor, 'operator_answer_invalid', 'The answer is a page, not JSON.');
      }
      return parse(parseJson(this.vendor, answer));
    };
    return retrying(attempt, this.#options.retry ?? DEFAULT_RETRY, {
      clock: this.#clock,
      random: this.#options.random ?? Math.random,
      signal,
    });
  }
}

/** What a moved restaurant looks like. */
function suspicionOf(readings: readonly MealReading[]): keyof typeof TREE_TRUST_MS | undefined {
  if (readings.length === 0) return undefined;
  if (readings.some((reading) => 'error' in reading && reading.error.code === 'operator_refused'))
    return 'refused';
  return readings.every((reading) => 'menus' in reading && reading.menus.length === 0) ? 'empty' : undefined;
}
