import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { mealOf } from '../catalogue/restaurant.ts';
import type { Course } from '../kitchen/course.ts';
import { planMeal } from '../kitchen/day-plan.ts';
import { listedMeals } from '../kitchen/listed-meals.ts';
import { photoRoutes } from '../photos/photo-routes.ts';
import { parseDate, seoulHour } from '../seeded/calendar.ts';
import { createRandom } from '../seeded/random.ts';
import type { SandboxContext, SandboxEnv } from '../traffic/context.ts';
import { faultMiddleware, HTML_PAGE } from '../traffic/fault-middleware.ts';
import { countRequests, type OperatorStats } from '../traffic/stats.ts';
import { HIDDEN_ROWS, toCatalogueRow } from './catalogue-rows.ts';
import { hallNo, type MealRowContext, toDetailRows, toMealRows, toNutrientRows } from './meal-rows.ts';
import { type RecordedMeal, toRecordedMeal, typicalMenu } from './recorded-rows.ts';
import type { Sessions } from './sessions.ts';

export interface WelstoryAppOptions {
  readonly context: SandboxContext;
  readonly sessions: Sessions;
  readonly credentials: { readonly username: string; readonly password: string };
}

/** Path of the photo host below the operator's own. */
const PHOTO_PATH = '/data/manager/recipe';

/** Hour in Seoul at which each meal is "now". */
const HOURS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  '1': [6, 10],
  '2': [10, 15],
  '3': [15, 20],
  '4': [20, 24],
  '5': [14, 17],
  '6': [0, 6],
};

function answer(data: unknown) {
  return { code: 0, message: null, data, data2: null, userInfo: null };
}

/** Answers 200 with an empty body while another request of the account is running, like the operator. */
function oneAtATime(stats: OperatorStats): MiddlewareHandler<SandboxEnv> {
  let busy = false;
  return async (c, next) => {
    if (busy) {
      stats.refusedConcurrent += 1;
      return c.body('', 200);
    }
    busy = true;
    try {
      await next();
    } finally {
      busy = false;
    }
    return undefined;
  };
}

/** The operator "Welstory Plus" as a Hono app; mount it below one path segment. */
export function createWelstoryApp({ context, sessions, credentials }: WelstoryAppOptions): Hono<SandboxEnv> {
  const { seed, clock, recorded, welstory, injector, closing } = context;
  const stats = context.stats.welstory;
  const restaurants = [...welstory.values()];
  const hour = () => seoulHour(clock());
  const faults = faultMiddleware({
    operator: 'welstory',
    seed,
    injector,
    stats,
    stateFaults: { 'session-expired': () => sessions.revokeAll() },
  });

  const findMeal = (
    c: Context<SandboxEnv>,
  ): (MealRowContext & { courses: readonly Course[] }) | undefined => {
    const restaurant = welstory.get(c.req.query('restaurantCode') ?? '');
    const date = parseDate(c.req.query('menuDt') ?? '');
    const meal = restaurant && mealOf(restaurant, c.req.query('menuMealType'));
    if (restaurant === undefined || date === undefined || meal === undefined) return undefined;
    const { courses } = planMeal(seed, restaurant, date, meal);
    return { restaurant, meal, date, courses, photoBaseUrl: `${context.origin()}/welstory${PHOTO_PATH}/` };
  };
  const findCourse = (c: Context<SandboxEnv>): Course | undefined => {
    const found = findMeal(c);
    if (found === undefined || c.req.query('hallNo') !== hallNo(found.restaurant)) return undefined;
    return found.courses.find(({ id }) => id === c.req.query('menuCourseType'));
  };

  /** `typicalMenu` is what the restaurant writes in the list of the meal too. */
  const asRecorded = <T extends { readonly typicalMenu: string }>(
    c: Context<SandboxEnv>,
    rows: readonly T[],
  ) => {
    const id = c.req.query('restaurantCode') ?? '';
    if (!recorded) return rows;
    return rows.map((row) => ({ ...row, typicalMenu: typicalMenu(id, row.typicalMenu === 'Y') }));
  };

  const photos = new Hono<SandboxEnv>().use(faults).route('/', photoRoutes(context, stats));

  const api = new Hono<SandboxEnv>();
  api.use(countRequests(stats, clock), oneAtATime(stats), faults);
  api.use(async (_c, next) => {
    await sleep(context.latencyMs, undefined, { signal: closing }).catch(() => {});
    return next();
  });
  api.post('/login', async (c) => {
    const form = await c.req.parseBody();
    const deviceId = c.req.header('x-device-id');
    const isUser = form.username === credentials.username && form.password === credentials.password;
    if (!isUser || deviceId === undefined) {
      stats.failedLogins += 1;
      return c.json({ code: 401, message: '아이디 또는 비밀번호를 확인해 주세요.', data: null }, 401);
    }
    stats.logins += 1;
    // An account has one session: a login ends the one before.
    if (recorded) sessions.revokeAll();
    c.header('authorization', await sessions.issue(deviceId));
    return c.json(answer({ userName: '샌드박스', bizName: '샘플' }));
  });
  api.use(async (c, next) => {
    const state = await sessions.check(c.req.header('authorization'), c.req.header('x-device-id'));
    if (state !== 'valid') stats.refusedTokens += 1;
    switch (state) {
      case 'valid':
        return next();
      case 'expired':
        return c.body('', 200);
      case 'revoked':
        return recorded ? c.json(answer(null)) : c.html(HTML_PAGE);
      case 'missing':
        return c.json({ message: 'Unauthorized' }, 401);
      case 'other-device':
        return c.json({ message: 'Forbidden' }, 403);
    }
  });
  api.get('/session', async (c) => c.json(answer(await sessions.issue(c.req.header('x-device-id') ?? ''))));
  api.get('/api/mypage/rest-list', (c) => {
    const name = c.req.query('restaurantName') ?? '';
    const rows = [...restaurants.map(toCatalogueRow), ...HIDDEN_ROWS];
    return c.json(answer(rows.filter((row) => `${row.restaurantName} ${row.restaurantDesc}`.includes(name))));
  });
  api.get('/api/menu/getMealTimeList', (c) => {
    const restaurant = welstory.get(getCookie(c, 'cafeteriaActiveId') ?? '');
    const meals =
      restaurant &&
      listedMeals(context, restaurant).map(({ code, label }) => {
        const [from, to] = HOURS[code] ?? [0, 0];
        return { code, codeNm: label, tmYn: hour() >= from && hour() < to ? 'Y' : 'N' };
      });
    return c.json(answer(meals ?? null));
  });
  api.get('/api/meal', (c) => {
    const found = findMeal(c);
    if (recorded) {
      const none: RecordedMeal = { mealList: [], smartOrderMenuList: null };
      return c.json(answer(found === undefined ? none : toRecordedMeal(found.courses, found)));
    }
    const mealList = found?.courses.flatMap((course) => toMealRows(course, found)) ?? [];
    const isNull = mealList.length === 0 && createRandom(seed, 'null', new URL(c.req.url).search).chance(0.5);
    return c.json(answer({ mealList: isNull ? null : mealList, smartOrderMenuList: [] }));
  });
  api.get('/api/meal/detail', (c) => {
    const course = findCourse(c);
    return c.json(answer(course === undefined ? [] : asRecorded(c, toDetailRows(course))));
  });
  api.get('/api/meal/detail/nutrient', (c) => {
    const course = findCourse(c);
    return c.json(answer(course === undefined ? [] : asRecorded(c, toNutrientRows(course))));
  });
  for (const path of ['/api/mypage/rest-regi', '/api/mypage/rest-delete']) {
    api.all(path, (c) => {
      stats.stateChanges += 1;
      return c.json(answer(null));
    });
  }

  return new Hono<SandboxEnv>().route(PHOTO_PATH, photos).route('/', api);
}
