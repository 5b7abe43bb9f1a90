import { createHash } from 'node:crypto';
import { formatCompactDate } from '../domain/calendar-date.ts';
import type { BundleItem, Menu } from '../domain/menu.ts';
import { MenuError, OperatorError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { isHtml, parseJson, statusError } from '../http/answer-error.ts';
import { formatQuery, OperatorHttp, type OperatorHttpOptions } from '../http/operator-http.ts';
import type { HttpAnswer, HttpRequest } from '../http/send-request.ts';
import type { Meal, MealReading, Operator, Reading, ReadOptions } from '../operator/operator.ts';
import { readMeals } from '../operator/readings.ts';
import { type CourseKey, parseCourseId } from './course-id.ts';
import { parseMeals, parseRestaurants } from './parse-catalogue.ts';
import { parseDishes, parseDishNutrition, parseItems, withDishes } from './parse-detail.ts';
import { parseMealList } from './parse-meal-list.ts';
import { WelstorySession } from './welstory-session.ts';

/** Options of `welstoryOperator`; Welstory Plus needs an account. */
export interface WelstoryOperatorOptions extends OperatorHttpOptions {
  /** Name of the account. */
  readonly username: string;
  /** Its password; sent only to the operator's login, and never in an error message. */
  readonly password: string;
  /** Sent with every request. @default a UUID made from the user name, so that a restart does not look like a new device */
  readonly deviceId?: string | undefined;
}

/** Samsung Welstory, "Welstory Plus": needs an account, and accepts one request at a time from it. */
export function welstoryOperator(options: WelstoryOperatorOptions): Operator {
  const { username, password }: Partial<WelstoryOperatorOptions> = Object(options);
  if (typeof username !== 'string' || typeof password !== 'string') {
    throw new MenuError(
      'invalid_argument',
      'Give the username and the password of an account of Welstory Plus.',
    );
  }
  return new WelstoryOperator(options);
}

class WelstoryOperator implements Operator {
  readonly vendor = 'welstory';
  readonly maxConcurrentRequests = 1;
  readonly backgroundRequestsPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly #deviceId: string;
  readonly #http: OperatorHttp;
  #closing: Promise<void> | undefined;
  readonly #session: WelstorySession;

  constructor(options: WelstoryOperatorOptions) {
    this.#deviceId = options.deviceId ?? deviceIdOf(options.username);
    this.#http = new OperatorHttp(options, {
      vendor: this.vendor,
      baseUrl: 'https://welplus.welstory.com',
      maxConcurrentRequests: this.maxConcurrentRequests,
    });
    this.backgroundRequestsPerMinute = this.#http.backgroundRequestsPerMinute;
    this.requestTimeoutMs = this.#http.requestTimeoutMs;
    this.#session = new WelstorySession({
      username: options.username,
      password: options.password,
      clock: this.#http.clock,
      send: (path, request, readOptions) => this.#send(path, request, readOptions),
      retrying: (attempt) => this.#http.retrying(attempt, {}),
    });
  }

  async restaurants(options: ReadOptions = {}): Promise<Reading<readonly Restaurant[]>> {
    return this.#get('/api/mypage/rest-list?restaurantName=', parseRestaurants, options);
  }

  async meals(restaurantId: string, options: ReadOptions = {}): Promise<Reading<readonly Meal[]>> {
    const headers = { cookie: `cafeteriaActiveId=${encodeURIComponent(restaurantId.toWellFormed())}` };
    return this.#get('/api/menu/getMealTimeList', parseMeals, options, headers);
  }

  async day(
    restaurantId: string,
    date: string,
    meals: readonly Meal[],
    options: ReadOptions = {},
  ): Promise<Reading<readonly MealReading[]>> {
    this.#http.checkOpen();
    return readMeals(meals, options, (meal) => {
      const query = formatQuery({
        menuDt: formatCompactDate(date),
        menuMealType: meal.code,
        restaurantCode: restaurantId,
      });
      return this.#get(`/api/meal?${query}`, (value) => parseMealList(value, meal.code), options);
    });
  }

  async bundleItems(
    restaurantId: string,
    date: string,
    menu: Menu,
    options: ReadOptions = {},
  ): Promise<Reading<readonly BundleItem[]>> {
    this.#http.checkOpen();
    const course = parseCourseId(menu.id);
    if (course === undefined) return { value: [], droppedRows: 0 };
    const query = courseQuery(restaurantId, date, course);
    return this.#get(`/api/meal/detail/nutrient?${query}`, (value) => parseItems(value, menu.name), options);
  }

  async menuDetail(restaurantId: string, date: string, menu: Menu, options: ReadOptions = {}): Promise<Menu> {
    this.#http.checkOpen();
    const course = parseCourseId(menu.id);
    if (course === undefined) return menu;
    const query = courseQuery(restaurantId, date, course);
    const dishes = await this.#get(`/api/meal/detail?${query}`, parseDishes, options);
    const nutrients = await this.#get(`/api/meal/detail/nutrient?${query}`, parseDishNutrition, options);
    return withDishes(menu, dishes, nutrients);
  }

  close(): Promise<void> {
    this.#closing ??= this.#http[Symbol.asyncDispose]();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #get<T>(
    path: string,
    parse: (value: unknown) => T,
    options: ReadOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    let emptyAnswers = 0;
    const attempt = async () => {
      const token = await this.#session.token(options);
      const answer = await this.#send(path, { headers: { ...headers, authorization: token } }, options);
      if (isSessionGone(answer)) {
        this.#session.invalidate(token);
        throw new OperatorError(this.vendor, 'session_rejected', 'The operator does not know the session.');
      }
      const refused = statusError(this.vendor, answer, this.#http.clock.nowMs());
      if (refused !== undefined) throw refused;
      try {
        return parse(parseJson(this.vendor, answer));
      } catch (error) {
        // Both an expired token and a busy moment get an empty 200; after three in one read, it is taken for the token.
        emptyAnswers += error instanceof MenuError && error.code === 'operator_answer_empty' ? 1 : 0;
        if (emptyAnswers === 3) this.#session.invalidate(token);
        throw error;
      }
    };
    return this.#http.retrying(attempt, options);
  }

  #send(path: string, request: HttpRequest, options: ReadOptions): Promise<HttpAnswer> {
    const headers = {
      ...request.headers,
      'x-device-id': this.#deviceId,
      'user-agent': 'Welplus',
      accept: 'application/json',
    };
    return this.#http.send(path, { ...request, headers }, options);
  }
}

function courseQuery(restaurantId: string, date: string, { meal, hall, course }: CourseKey): string {
  return formatQuery({
    menuDt: formatCompactDate(date),
    menuMealType: meal,
    restaurantCode: restaurantId,
    hallNo: hall,
    menuCourseType: course,
  });
}

/** A UUID (version 8, RFC 9562) that is always the same for an account. */
function deviceIdOf(username: string): string {
  const hex = createHash('sha256').update(`menu-client device of ${username}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** 401, 403, a redirect to the login page, or the page itself with 200. */
function isSessionGone(answer: HttpAnswer): boolean {
  if (answer.status === 401 || answer.status === 403) return true;
  if (answer.status >= 300 && answer.status < 400) return true;
  return answer.status === 200 && isHtml(answer);
}
