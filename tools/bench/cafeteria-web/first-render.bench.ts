/**
 * The first rendering of a day of 60 menus, in milliseconds at p99, in a process that has rendered other days before.
 * Needs `pnpm build` first.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type DailyMenu, type MealCode, type Menu, seoulToday } from 'menu-client';
import { median, quantile } from '../support/numbers.ts';
import { report } from '../support/report.ts';
import { dayJsonLd, pageAt, renderDayPage } from './support/built.ts';

// As the service's own start command: a young generation that is collected in a millisecond, by one thread.
const YOUNG = ['--max-semi-space-size=8', '--no-parallel-scavenge'];
if (!YOUNG.every((flag) => process.execArgv.includes(flag))) {
  const again = [...YOUNG, ...process.execArgv, fileURLToPath(import.meta.url)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}

const P99_MS = 3;
const ROUNDS = 2000;
/** What a service renders in its first seconds under load: until then the compiler is still at work. */
const OTHER_DAYS = 1000;
const DISHES = ['흰쌀밥', '된장국', '계란말이', '콩나물무침', '배추김치', '요구르트'];

function menu(serial: number): Menu {
  const nutrition = {
    caloriesKcal: 700 + serial,
    carbohydratesG: 98.4,
    proteinG: 33.5,
    fatG: 21,
    sodiumMg: 1875,
  };
  return {
    id: `A${serial}`,
    name: `제육볶음 & 쌈 ${serial}`,
    nameEn: `Spicy pork ${serial}`,
    corner: `코너 ${serial % 8}`,
    serving: serial % 3 === 0 ? 'take-out' : 'take-in',
    soldOut: serial % 17 === 0,
    components: DISHES.map((name, index) => ({
      name: `${name} ${serial}`,
      main: index === 0,
      nutrition: { caloriesKcal: 100 + index },
    })),
    nutrition,
    photo: { url: `http://photos.example/${serial}.jpg` },
  };
}

/** A day that was never rendered before: every round has names of its own. */
function day(round: number): DailyMenu {
  const fetchedAt = '2026-11-20T02:02:00.000Z';
  const periods = (['1', '2', '3'] as MealCode[]).map((code, period) => ({
    code,
    label: '점심',
    status: 'ok' as const,
    fetchedAt,
    menus: Array.from({ length: 20 }, (_, index) => menu(round * 60 + period * 20 + index)),
  }));
  const restaurant = {
    vendor: 'welstory' as const,
    id: `R${round}`,
    name: `식당 ${round}`,
    location: ['서울', '강남'],
  };
  return { restaurant, date: '2026-11-20', periods };
}

const nowMs = Date.now();
const page = { ...pageAt(nowMs, true), today: seoulToday(nowMs) };
const times: number[] = [];
let length = 0;
for (let round = 0; round < OTHER_DAYS + ROUNDS; round += 1) {
  const value = day(round);
  const startedMs = performance.now();
  length += renderDayPage(page, {
    day: value,
    view: 'gallery',
    nowMs,
    takeout: { picked: new Map(), budget: 4, withoutDrinks: false },
    jsonLd: dayJsonLd(page, value),
  }).length;
  if (round >= OTHER_DAYS) times.push(performance.now() - startedMs);
}
report('cafeteria-web/first-render-p99-ms', {
  ratio: quantile(times, 0.99),
  bar: P99_MS,
  want: 'at most',
  note: `a day of 60 menus, ${Math.round(length / (OTHER_DAYS + ROUNDS) / 1024)} KiB, p50 ${median(times).toFixed(2)} ms`,
});
