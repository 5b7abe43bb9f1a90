/**
 * Requests per second of the built service against a bare Hono handler that sends the same bytes: 600 restaurants, 7 days
 * filled, one process each, 32 connections, in alternating rounds. Needs `pnpm build` first.
 */
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addDays, formatCompactDate, type Restaurant, restaurantSlug } from 'menu-client';
import { temporaryFolder } from 'test-support/temporary-folder';
import { load, type Target, writeRequests } from '../support/load/load.ts';
import { runLoadRounds } from '../support/load/load-rounds.ts';
import { median, ratiosOf, spreadOf, times } from '../support/numbers.ts';
import { cpuUsOf, residentBytes } from '../support/processes.ts';
import { report } from '../support/report.ts';
import { MAIN } from './support/built.ts';
import { fillStore } from './support/filled-store.ts';
import { type Running, run } from './support/program.ts';

const ROUNDS = 5;
const ROUND_MS = 900;
/** Pages have been asked for before they are measured, but not by a load; the code behind a search has not at all. */
const WARM_UP_MS = 5_000;
/** More than are asked for in all rounds, also where every tenth is left out, as it was there. */
const PAIRS = 300_000;
const MEMORY_MIB = 350;
const P99_MS = 100;

type HeaderFields = Readonly<Record<string, string>>;

await using folder = await temporaryFolder();
const { restaurants, today } = await fillStore(`sqlite:${folder.path}/menus.db`);
await using ours = await run(
  ['--max-semi-space-size=8', '--no-parallel-scavenge', '--heap-growing-percent=40', MAIN],
  {
    DATA_DIR: folder.path,
    CAFETERIA_PORT: '0',
    CAFETERIA_PREFETCH_SECONDS: '0',
    // Counted, as in service, but never refused.
    CAFETERIA_SEARCH_PER_MINUTE: '100000000',
    MENU_UPSTREAM: 'live',
    WELSTORY_USERNAME: 'nobody',
    WELSTORY_PASSWORD: 'nobody',
    // Nobody listens there: what is measured is answered from the store alone.
    WELSTORY_BASE_URL: 'http://127.0.0.1:9',
    PLANEAT_BASE_URL: 'http://127.0.0.1:9',
    LOG_LEVEL: 'error',
  },
  /localhost:(\d+)/,
);
await using bare = await run(
  ['--conditions=workspace-source', fileURLToPath(new URL('./support/bare-server.ts', import.meta.url))],
  {},
  /listening (\d+)/,
);

const dayPaths = restaurants.flatMap((restaurant) =>
  Array.from({ length: 7 }, (_, days) => pathOf(restaurant, formatCompactDate(addDays(today, days)))),
);

function pathOf({ vendor, id, name }: Restaurant, date: string): string {
  return `/restaurants/${vendor}/${encodeURIComponent(id)}/${encodeURIComponent(restaurantSlug(name))}/${date}`;
}

/** Every path once, in an order that jumps over the whole range. */
const shuffled = (paths: readonly string[]): readonly string[] =>
  times(paths.length, (number) => paths[((number + 1) * 1_009) % paths.length] ?? '');

/** Gives the peer the bytes of our answer, as they went over the wire. */
async function teach(path: string, headers: HeaderFields): Promise<void> {
  const answer = await new Promise<{ bytes: Buffer; type: string; encoding: string }>((resolve, reject) => {
    get({ port: ours.port, path, headers: { Host: `localhost:${ours.port}`, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          bytes: Buffer.concat(chunks),
          type: response.headers['content-type'] ?? '',
          encoding: response.headers['content-encoding'] ?? '',
        }),
      );
    }).on('error', reject);
  });
  const query = new URLSearchParams({ path: decodeURI(path), type: answer.type, encoding: answer.encoding });
  await fetch(`http://127.0.0.1:${bare.port}/load?${query.toString()}`, {
    method: 'POST',
    body: new Uint8Array(answer.bytes),
  });
}

const TEACHERS = 16;

/** Several at a time: what is asked first must still be fresh when the last one is taught. */
async function teachAll(paths: readonly string[], headers: HeaderFields): Promise<void> {
  const waiting = paths.values();
  await Promise.all(
    Array.from({ length: TEACHERS }, async () => {
      for (const path of waiting) await teach(path, headers);
    }),
  );
}

async function targetOf(
  { port, pid }: Running,
  paths: readonly string[],
  headers: HeaderFields,
): Promise<Target> {
  const file = join(folder.path, `requests-${port}`);
  return {
    port,
    usedUs: () => cpuUsOf(pid),
    requestsFile: await writeRequests(file, paths, { host: `localhost:${port}`, ...headers }),
  };
}

/**
 * Both by the clock and by the servers' processor time: by the clock alone a load generator that is slower than both
 * would make any two servers equal.
 */
async function compare(
  name: string,
  bar: number,
  paths: readonly string[],
  headers: HeaderFields,
): Promise<void> {
  const targets = { ours: await targetOf(ours, paths, headers), bare: await targetOf(bare, paths, headers) };
  const rounds = await runLoadRounds(targets, {
    rounds: ROUNDS,
    roundMs: ROUND_MS,
    warmUpMs: WARM_UP_MS,
  });
  const of = (server: keyof typeof rounds, figure: 'perSecond' | 'cpuUs' | 'p99Ms') =>
    rounds[server].map((round) => round[figure]);
  const byClock = ratiosOf(of('ours', 'perSecond'), of('bare', 'perSecond'));
  const byProcessor = ratiosOf(of('bare', 'cpuUs'), of('ours', 'cpuUs'));
  report(`cafeteria-web/${name}`, {
    ratio: median(byClock),
    bar,
    want: 'at least',
    note: `${Math.round(median(of('ours', 'perSecond')))} requests/s, rounds ${spreadOf(byClock)}`,
  });
  report(`cafeteria-web/${name}/processor-time`, {
    ratio: median(byProcessor),
    bar,
    want: 'at least',
    note: `${Math.round(median(of('ours', 'cpuUs')))} us each, the bare handler's ${Math.round(median(of('bare', 'cpuUs')))}`,
  });
  report(`cafeteria-web/${name}/p99-ms`, {
    ratio: median(of('ours', 'p99Ms')),
    bar: P99_MS,
    want: 'at most',
  });
}

const forms = [
  ['day-html', dayPaths, { 'Accept-Encoding': 'gzip', Accept: 'text/html' }],
  ['day-markdown', dayPaths, { 'Accept-Encoding': 'gzip', Accept: 'text/markdown' }],
  [
    'day-feed',
    dayPaths.map((path) => `${path}/rss.xml`),
    { 'Accept-Encoding': 'gzip', Accept: 'application/rss+xml' },
  ],
] as const;
for (const [name, paths, headers] of forms) {
  // Twice: a page is another one once it is known which of its photos are there.
  for (let time = 0; time < 2; time += 1) await teachAll(paths, headers);
  await compare(name, 0.6, shuffled(paths), headers);
}

const words = [
  ...new Set(
    restaurants.flatMap(({ name, location }) => [name, ...location].flatMap((text) => text.split(' '))),
  ),
];
const searchPath = (query: string): string => `/proxy/search?q=${encodeURIComponent(query)}`;
await teach(searchPath('강남'), {});
/** A word and the beginning of another one: no two pairs alike, and each second has its share of those that cost much. */
const pairs = new Set(
  times(PAIRS, (number) => {
    const lap = Math.floor(number / words.length);
    const [first, second] = [number * 7_919, number * 4_253 + lap].map((at) => words[at % words.length]);
    return searchPath(`${first} ${second?.slice(0, 2)}`);
  }),
);
const json = { accept: 'application/json' };
await compare('search-different', 0.15, [...pairs], json);
await compare('search-repeated', 0.6, shuffled(words.slice(0, 50).map(searchPath)), json);

const feed = await load({
  ...(await targetOf(ours, ['/rss.xml'], { 'accept-encoding': 'gzip' })),
  connections: 32,
  durationMs: 3 * ROUND_MS,
  firstRequest: 0,
});
report('cafeteria-web/rss-all/p99-ms', {
  ratio: feed.p99Ms,
  bar: P99_MS,
  want: 'at most',
  note: `${Math.round(feed.perSecond)} requests/s`,
});
report('cafeteria-web/memory-mib', {
  ratio: (await residentBytes(ours.pid)) / 1_048_576,
  bar: MEMORY_MIB,
  want: 'at most',
});
