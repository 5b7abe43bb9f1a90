import type { MealCode } from '../domain/daily-menu.ts';
import type { BundleItem, Menu } from '../domain/menu.ts';
import { OperatorError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { isHtml, parseJson, statusError } from '../http/answer-error.ts';
import { saysMaintenance } from '../http/maintenance-notice.ts';
import { formatQuery, OperatorHttp, type OperatorHttpOptions } from '../http/operator-http.ts';
import type { HttpRequest } from '../http/send-request.ts';
import { compareMealCodes, isKnown, usualMeal } from '../operator/meal-code.ts';
import type { Meal, MealReading, Operator, Reading, ReadOptions } from '../operator/operator.ts';
import { readMeals } from '../operator/readings.ts';
import { type MealItem, parseDailyMenu, parseMeals } from './parse-daily-menu.ts';
import { parseTree, type StoreNode } from './parse-tree.ts';

/** Options of `planeatOperator`; PlanEAT Choice needs no account. */
export interface PlaneatOperatorOptions extends OperatorHttpOptions {
  /**
   * Requests under way at once, over all processes; at least 1.
   * @default 3
   */
  readonly maxConcurrentRequests?: number;
  /** How long to trust the tree, and with it each restaurant's place. @default 3600000 (1 h) */
  readonly treeTtlMs?: number;
  /** Largest answer for the tree. @default 16777216 (16 MiB) */
  readonly maxTreeBytes?: number;
}

/** After this the operator is asked again. */
const MAINTENANCE_MS = 60_000;

/** How old the tree may be when a day comes back empty or is refused: the restaurant may have moved. */
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
  readonly backgroundRequestsPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly #http: OperatorHttp;
  #closing: Promise<void> | undefined;
  readonly #treeTtlMs: number;
  readonly #maxTreeBytes: number;
  #tree: Tree | undefined;
  #treeInFlight: Promise<Tree> | undefined;

  constructor(options: PlaneatOperatorOptions) {
    this.maxConcurrentRequests = options.maxConcurrentRequests ?? 3;
    this.#treeTtlMs = options.treeTtlMs ?? 3_600_000;
    this.#maxTreeBytes = options.maxTreeBytes ?? 16 * 1024 * 1024;
    this.#http = new OperatorHttp(options, {
      vendor: this.vendor,
      baseUrl: 'https://m.planeatchoice.net/v2',
      maxConcurrentRequests: this.maxConcurrentRequests,
    });
    this.backgroundRequestsPerMinute = this.#http.backgroundRequestsPerMinute;
    this.requestTimeoutMs = this.#http.requestTimeoutMs;
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

  async bundleItems(
    _restaurantId: string,
    _date: string,
    menu: Menu,
  ): Promise<Reading<readonly BundleItem[]>> {
    this.#http.checkOpen();
    return { value: menu.bundle?.items ?? [], droppedRows: 0 };
  }

  async menuDetail(_restaurantId: string, _date: string, menu: Menu): Promise<Menu> {
    this.#http.checkOpen();
    return menu;
  }

  close(): Promise<void> {
    this.#closing ??= this.#http[Symbol.asyncDispose]();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #readDay(
    node: StoreNode,
    date: string,
    meals: readonly Meal[],
    options: ReadOptions,
  ): Promise<Reading<readonly MealReading[]>> {
    const items: MealItem[] = [];
    const unread = meals.map((meal) => ({ ...meal, menus: [] }));
    const { onMeal, ...others } = options;
    const readings = await readMeals(meals, others, async (meal) => {
      const reading = await this.#readMeal(node, date, meal.code, options);
      items.push(...reading.value);
      const own = groupByMeal(unread, reading.value).find(({ code }) => code === meal.code);
      // One without menus is reported with the day: its menus may come with another meal, or the restaurant moved.
      if (own !== undefined && 'menus' in own && own.menus.length > 0) onMeal?.(own);
      return { ...reading, value: [] };
    });
    return { ...readings, value: groupByMeal(readings.value, items) };
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
      today: new Date(this.#http.clock.nowMs()).toUTCString(),
      listType: 'card',
      orderType: 'new',
    });
    return this.#get(`/portal/dailyMenu?${parameters}`, (value) => parseDailyMenu(value, mealCd), options);
  }

  async #node(restaurantId: string, options: ReadOptions, maxAgeMs = this.#treeTtlMs): Promise<StoreNode> {
    this.#http.checkOpen();
    const node = (await this.#readTree(options, maxAgeMs)).nodes.get(restaurantId);
    if (node !== undefined) return node;
    throw new OperatorError(this.vendor, 'restaurant_not_found', 'The operator has no such restaurant.');
  }

  /** The tree, at most `maxAgeMs` old; one request at a time reads it. */
  async #readTree(options: ReadOptions, maxAgeMs: number): Promise<Tree> {
    const tree = this.#tree;
    if (tree !== undefined && this.#http.clock.nowMs() - tree.readAtMs < maxAgeMs) return tree;
    const request: ReadOptions =
      options.exclusively === undefined ? {} : { exclusively: options.exclusively };
    this.#treeInFlight ??= this.#get('/storTree', parseTree, request, { maxAnswerBytes: this.#maxTreeBytes })
      .then(({ value, droppedRows }) => {
        const nodes = new Map(value.map((node) => [node.restaurant.id, node]));
        this.#tree = { nodes, droppedRows, readAtMs: this.#http.clock.nowMs() };
        return this.#tree;
      })
      .finally(() => {
        this.#treeInFlight = undefined;
      });
    return this.#treeInFlight;
  }

  #get<T>(
    path: string,
    parse: (value: unknown) => T,
    options: ReadOptions,
    limits: Pick<HttpRequest, 'maxAnswerBytes'> = {},
  ): Promise<T> {
    const attempt = async () => {
      const answer = await this.#http.send(
        path,
        { headers: { accept: 'application/json' }, ...limits },
        options,
      );
      if (saysMaintenance(answer)) {
        const message = 'The operator says that it is under maintenance.';
        throw new OperatorError(this.vendor, 'operator_maintenance', message, {
          retryAfterMs: MAINTENANCE_MS,
        });
      }
      const refused = statusError(this.vendor, answer, this.#http.clock.nowMs());
      if (refused !== undefined) throw refused;
      if (isHtml(answer)) {
        throw new OperatorError(this.vendor, 'operator_answer_invalid', 'The answer is a page, not JSON.');
      }
      return parse(parseJson(this.vendor, answer));
    };
    return this.#http.retrying(attempt, options);
  }
}

/** Signs that a restaurant has moved in the tree. */
function suspicionOf(readings: readonly MealReading[]): keyof typeof TREE_TRUST_MS | undefined {
  if (readings.length === 0) return undefined;
  if (readings.some((reading) => 'error' in reading && reading.error.code === 'operator_refused'))
    return 'refused';
  return readings.every((reading) => 'menus' in reading && reading.menus.length === 0) ? 'empty' : undefined;
}

/**
 * Puts each item under the meal that it names itself, not the meal that was asked for; an item in several answers
 * counts once. A meal whose own answer failed stays failed: its items may be incomplete.
 */
function groupByMeal(readings: readonly MealReading[], items: readonly MealItem[]): readonly MealReading[] {
  const asked = new Set(readings.map((reading) => reading.code));
  // A code that neither we nor the restaurant's list knows does not name a meal.
  const mealOf = (item: MealItem) => (asked.has(item.meal) || isKnown(item.meal) ? item.meal : item.asked);
  const unique = new Map(items.map((item) => [item.menu.id, { meal: mealOf(item), menu: item.menu }]));
  const unasked = [...new Set([...unique.values()].map((item) => item.meal))].filter(
    (code) => !asked.has(code),
  );
  const all: readonly MealReading[] = [
    ...readings,
    ...unasked.map((code) => ({ ...usualMeal(code), menus: [] })),
  ];
  return all
    .map((reading) =>
      'error' in reading
        ? reading
        : {
            ...reading,
            menus: [...unique.values()].filter((item) => item.meal === reading.code).map((item) => item.menu),
          },
    )
    .sort((a, b) => compareMealCodes(a.code, b.code));
}
