import { formatCompactDate } from '../domain/calendar-date.ts';
import type { BundleItem, Menu } from '../domain/menu.ts';
import { MenuError } from '../domain/menu-error.ts';
import type { Restaurant } from '../domain/restaurant.ts';
import { isHtml, parseJson, statusError } from '../http/answer-error.ts';
import { saysMaintenance } from '../http/maintenance-notice.ts';
import { formatQuery, OperatorHttp, type OperatorHttpOptions } from '../http/operator-http.ts';
import type { HttpAnswer } from '../http/send-request.ts';
import type {
  AccountRefusal,
  Meal,
  MealReading,
  Operator,
  OperatorNotes,
  Reading,
  ReadOptions,
} from '../operator/operator.ts';
import { readMeals } from '../operator/readings.ts';
import { deviceIdOf } from './account.ts';
import { type CourseKey, parseCourseId } from './course-id.ts';
import { parseMeals, parseRestaurants } from './parse-catalogue.ts';
import { parseDishes, parseDishNutrition, parseItems, withDishes } from './parse-detail.ts';
import { nullAnswerOf } from './parse-envelope.ts';
import { parseMealList } from './parse-meal-list.ts';
import { headersOf, type Rejection, type SessionTurn, WelstorySession } from './welstory-session.ts';

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
      'Pass the username and the password of an account of Welstory Plus.',
    );
  }
  return new WelstoryOperator(options);
}

class WelstoryOperator implements Operator {
  readonly vendor = 'welstory';
  readonly maxConcurrentRequests = 1;
  readonly backgroundRequestsPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly #http: OperatorHttp;
  #closing: Promise<void> | undefined;
  readonly #session: WelstorySession;

  constructor(options: WelstoryOperatorOptions) {
    this.#http = new OperatorHttp(options, {
      vendor: this.vendor,
      baseUrl: 'https://welplus.welstory.com',
      maxConcurrentRequests: this.maxConcurrentRequests,
    });
    this.backgroundRequestsPerMinute = this.#http.backgroundRequestsPerMinute;
    this.requestTimeoutMs = this.#http.requestTimeoutMs;
    this.#session = new WelstorySession({
      baseUrl: this.#http.baseUrl,
      username: options.username,
      password: options.password,
      deviceId: options.deviceId ?? deviceIdOf(options.username),
      clock: this.#http.clock,
      maxAttempts: this.#http.maxAttempts,
      hasSeveralProxies: this.#http.hasSeveralProxies,
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

  refusal(notes?: OperatorNotes): Promise<AccountRefusal | undefined> {
    return this.#session.refusal(notes);
  }

  async #get<T>(
    path: string,
    parse: (value: unknown) => T,
    options: ReadOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    let emptyAnswers = 0;
    const ask = async (turn: SessionTurn, isProven = false): Promise<T> => {
      const pass = await this.#session.pass(turn);
      const answer = await turn.send(path, { headers: { ...headers, ...headersOf(pass) } });
      if (saysMaintenance(answer)) return this.#session.maintenance(turn);
      const rejection = rejectionOf(answer);
      if (rejection !== undefined) return this.#session.rejected(turn, rejection);
      const refused = statusError(this.vendor, answer, this.#http.clock.nowMs());
      if (refused !== undefined) throw refused;
      // Both an expired token and a busy moment get an empty 200; after three in one read, it is taken for the token.
      const isEmpty = answer.body.trim() === '';
      emptyAnswers += isEmpty ? 1 : 0;
      if (isEmpty && emptyAnswers === 3) return this.#session.rejected(turn, 'status');
      const value = parseJson(this.vendor, answer);
      const nothing = nullAnswerOf(value);
      if (nothing === 'failure') return this.#session.rejected(turn, 'status');
      if (nothing === 'null')
        return isProven || (await this.#session.nullAnswer(turn, pass)) ? parse([]) : ask(turn, true);
      await this.#session.accepted(turn);
      return parse(value);
    };
    const attempt = () => this.#http.turn((send) => ask({ send, notes: options.notes }), options);
    return this.#http.retrying(attempt, options);
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

/** A redirect to the login page, 401 and 403 turn a session away; so does a page with 200. */
function rejectionOf(answer: HttpAnswer): Rejection | undefined {
  const { status } = answer;
  if (status === 401 || status === 403 || (status >= 300 && status < 400)) return 'status';
  return status === 200 && isHtml(answer) ? 'page' : undefined;
}
